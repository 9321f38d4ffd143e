import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command-context.ts';

/** Asks a person for one line. */
export async function ask(context: CommandContext, question: string): Promise<string> {
  const terminal = createInterface({ input: context.stdin, output: context.stdout });
  try {
    return await terminal.question(question, { signal: context.interruptSignal() });
  } finally {
    terminal.close();
  }
}

/** Anything other than yes counts as no. */
export async function askYesOrNo(context: CommandContext, question: string): Promise<boolean> {
  const answer = await ask(context, `${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}
