import { fence } from '../../agents/fence.ts';
import { foldersWithInstructions, instructionFiles } from '../../domain/instructions/instruction-files.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { InstructionSource } from './instruction-source.ts';

/** Characters of one file that an agent is given, some 9,000 tokens; Codex has the same limit in bytes. */
const maxCharacters = 32 * 1024;

/** The standing instructions of a folder: its AGENTS.md, or else its CLAUDE.md. Undefined if it has none, or an empty one. */
export async function readInstructionsOf(source: InstructionSource, folder: string): Promise<string | undefined> {
  for (const name of instructionFiles) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const text = await source.read(path);
    if (text?.trim()) return fence(path, cut(text, path));
  }
  return undefined;
}

/** The standing instructions of a workspace: those of its root as an agent reads them, and the folders below that have their own. */
export async function readInstructions(
  source: InstructionSource,
  paths: readonly string[],
): Promise<{ root: string | undefined; folders: string[] }> {
  const [first, ...others] = foldersWithInstructions(paths);
  if (first !== '') return { root: undefined, folders: first === undefined ? [] : [first, ...others] };
  return { root: await readInstructionsOf(source, ''), folders: others };
}

function cut(text: string, path: string): string {
  if (text.length <= maxCharacters) return text;
  return `${cutText(text, maxCharacters)}\n[Cut off here: ${path} has ${text.length} characters, and read_file shows the rest.]`;
}
