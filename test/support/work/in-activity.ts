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
