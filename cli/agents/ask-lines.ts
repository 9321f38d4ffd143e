import { createInterface } from 'node:readline/promises';
import type { CommandContext } from '../program/command-context.ts';

/** Calls back for each line that a person types, until the end of the input. */
export async function askLines(context: CommandContext, onLine: (line: string) => Promise<void>): Promise<void> {
  const lines = createInterface({ input: context.stdin, output: context.stderr, prompt: '> ' });
  lines.prompt();
  for await (const line of lines) {
    if (line.trim()) await onLine(line);
    lines.prompt();
  }
}
