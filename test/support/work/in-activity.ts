import { asyncLocalStorage, type Context, type Info } from '@temporalio/activity';

/**
 * Runs work as if in an activity, without a worker: by default on its first attempt, with heartbeats that nobody hears; it is cancelled when `dies`
 * rejects.
 */
export function inActivity<Result>(
  work: () => Promise<Result>,
  {
    dies = new Promise<never>(() => {}),
    info = {},
    onBeat = () => {},
  }: { dies?: Promise<never>; info?: Partial<Info>; onBeat?(details: unknown): void } = {},
): Promise<Result> {
  const context: Pick<Context, 'cancelled' | 'heartbeat' | 'log'> & { info: Partial<Info> } = {
    info: { attempt: 1, ...info },
    cancelled: dies,
    heartbeat: onBeat,
    log: { warn() {}, error() {} } as unknown as Context['log'],
  };
  return asyncLocalStorage.run(context as Context, work);
}

/** A death of the worker: `dies` for `inActivity`, which `die` brings about. */
export function createDeath(): { dies: Promise<never>; die(): void } {
  const death = new AbortController();
  const dies = new Promise<never>((_resolve, reject) => {
    death.signal.addEventListener('abort', () => reject(death.signal.reason));
  });
  return { dies, die: () => death.abort(new Error('The worker let go.')) };
}
