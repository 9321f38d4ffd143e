import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import type { PromptFile } from './render-prompt.ts';

/** A prompt as it ships. */
export function readShippedPrompt(name: string): PromptFile {
  return read(join(packageRoot(), 'agents', 'prompts', `${name}.md`));
}

/** A prompt of the user's own; undefined where the folder has none of this name. */
export function readOwnPrompt(folder: string, name: string): PromptFile | undefined {
  const path = ownPromptPath(folder, name);
  return existsSync(path) ? read(path) : undefined;
}

export function ownPromptPath(folder: string, name: string): string {
  return join(folder, `${name}.md`);
}

function read(path: string): PromptFile {
  return { path, text: readFileSync(path, 'utf8') };
}
