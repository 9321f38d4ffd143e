import { asyncLocalStorage, type Context, type Info } from '@temporalio/activity';

/** Does what an activity does, outside of a worker: its first attempt, whose heart beats for nobody unless said otherwise, and which is let go of where `dies` rejects. */
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
