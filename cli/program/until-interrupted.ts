import type { CommandContext } from './command-context.ts';
import { InterruptedError } from './interrupted-error.ts';

/**
 * Waits for an answer unless Ctrl-C comes first; `standing` says what becomes of the request then.
 * @throws {InterruptedError} at Ctrl-C.
 */
export async function untilInterrupted<Answer>(
  context: CommandContext,
  asked: Promise<Answer>,
  standing: string,
): Promise<Answer> {
  const signal = context.interruptSignal();
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new InterruptedError(standing)), { once: true });
  });
  return Promise.race([asked, interrupted]);
}
