import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command-context.ts';
import { InterruptedError } from './interrupt.ts';

/** A person said no; the command fails. */
export class DeclinedError extends Error {
  override name = 'DeclinedError';
}

const unchanged = 'Nothing was changed.';

/**
 * Asks a person for one line, before anything is done.
 * @throws {InterruptedError} at Ctrl-C.
 */
export async function ask(context: CommandContext, question: string): Promise<string> {
  const terminal = createInterface({ input: context.stdin, output: context.stdout });
  try {
    return await terminal.question(question, { signal: context.interruptSignal() });
  } catch (cause) {
    if ((cause as Error).name !== 'AbortError') throw cause;
    context.print(''); // the question's line has no end yet
    throw new InterruptedError(unchanged, { cause });
  } finally {
    terminal.close();
  }
}

/**
 * Asks a yes-or-no question; anything other than yes counts as no.
 * @throws {DeclinedError} at no.
 */
export async function expectYes(context: CommandContext, question: string): Promise<void> {
  const answer = await ask(context, `${question} [y/N] `);
  if (!isYes(answer)) throw new DeclinedError(unchanged);
}

/** Anything other than yes counts as no. */
export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
