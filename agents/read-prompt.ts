import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import type { PromptFile } from './render-prompt.ts';

/** The shipped version of a prompt. */
export function readShippedPrompt(name: string): PromptFile {
  return read(join(packageRoot(), 'agents', 'prompts', `${name}.md`));
}

/** The user's own version of a prompt; undefined if the folder has none. */
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
