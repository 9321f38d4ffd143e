import { mkdir, writeFile } from 'node:fs/promises';
import {
  findPrompt,
  findStrangers,
  ownPromptPath,
  readOwnPrompt,
  readShippedPrompt,
} from '../../agents/load-prompts.ts';
import { promptNames, rolesOfPrompt } from '../../agents/prompt-names.ts';
import { ClientError } from '../../client/errors.ts';
import type { Role } from '../../domain/run/role.ts';
import { fitColumns } from '../render/columns.ts';

export interface PromptView {
  name: string;
  /** The roles that get it. */
  roles: Array<Role | 'summarizer'>;
  path: string;
  /** Whether it is the user's own rather than the shipped one. */
  own: boolean;
  /** Why workers cannot use it. */
  complaint?: string;
}

/** Every prompt, and complaints about other files in the folder. */
export function listPrompts(folder: string): { prompts: PromptView[]; complaints: string[] } {
  const prompts = promptNames.map((name) => {
    const { prompt, own, complaint } = findPrompt(folder, name);
    return { name, roles: rolesOfPrompt(name), path: prompt.path, own, ...(complaint && { complaint }) };
  });
  return { prompts, complaints: findStrangers(folder) };
}

/** Renders the output of `longhaul prompts list`: a line per prompt, then complaints about the user's own files. */
export function renderPrompts({ prompts, complaints }: ReturnType<typeof listPrompts>, width?: number): string {
  const rows = prompts.map(({ name, roles, path, own }) => [name, roles.join(' '), own ? 'own' : 'shipped', path]);
  const all = [...prompts.flatMap(({ complaint }) => complaint ?? []), ...complaints];
  return [...fitColumns(rows, width, 2), ...(all.length ? ['', ...all] : [])].join('\n');
}

export interface EjectedPrompt {
  name: string;
  path: string;
  /** The same file already existed. */
  alreadyThere: boolean;
}

/**
 * Copies shipped prompts to a folder, all or none.
 * @throws {ClientError} `InvalidInput` if a file there differs, unless `force` is set.
 */
export async function ejectPrompts(
  folder: string,
  names: string[],
  { force }: { force: boolean },
): Promise<EjectedPrompt[]> {
  const prompts = names.map((name) => {
    const { text } = readShippedPrompt(name);
    const there = readOwnPrompt(folder, name);
    return { name, text, path: ownPromptPath(folder, name), alreadyThere: there?.text === text, there };
  });
  const changed = prompts.filter(({ there, alreadyThere }) => there && !alreadyThere);
  if (changed.length && !force) {
    throw new ClientError(
      'InvalidInput',
      `Expected no changed prompts in ${folder}, found ${changed.map(({ name }) => `${name}.md`).join(', ')}. Nothing was copied. --force overwrites them.`,
    );
  }
  await mkdir(folder, { recursive: true });
  for (const { path, text, alreadyThere } of prompts) if (!alreadyThere) await writeFile(path, text);
  return prompts.map(({ name, path, alreadyThere }) => ({ name, path, alreadyThere }));
}

/**
 * The named prompts, or all if none is named.
 * @throws {ClientError} `InvalidInput` if a named prompt does not exist.
 */
export function choosePrompts(names: string[]): string[] {
  const unknown = names.filter((name) => !promptNames.includes(name));
  if (unknown.length) {
    throw new ClientError(
      'InvalidInput',
      `Expected prompts among ${promptNames.join(', ')}, got ${unknown.join(', ')}.`,
    );
  }
  return names.length ? names : promptNames;
}
