import type { CommandContext } from '../program/command-context.ts';

/** What an agent returned, as text. */
export function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

/** Prints what an agent returned: a model or a page may have written it. */
export function printOutput(context: Pick<CommandContext, 'writeText'>, output: unknown): void {
  context.writeText(`${textOf(output)}\n`);
}
