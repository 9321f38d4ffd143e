import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import type { CommandContext } from './command-context.ts';

/** Writes the file that a person named with --output, and says so. */
export async function writeOutput(context: CommandContext, output: string, text: string): Promise<void> {
  const file = resolve(context.folder, output);
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new ClientError(
      'InvalidInput',
      `Expected a writable file for --output, got "${output}": ${(error as Error).message}.`,
    );
  }
  context.note(`Wrote ${file}.`);
}
