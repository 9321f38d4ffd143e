import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What the word before the cursor may become, and that word. */
export interface Completions {
  word: string;
  hits: string[];
}

export interface CompletionSources {
  /** The names of the commands, without a slash. */
  commands: string[];
  /** What may follow a command, such as the names of conversations; undefined if nothing is known. */
  namesFor(command: string): Promise<string[]> | undefined;
  /** `@path` is relative to it. */
  folder: string;
}

/** Completes the name of a command, a name after it, or a path after `@`. */
export async function complete(line: string, { commands, namesFor, folder }: CompletionSources): Promise<Completions> {
  const path = /(?:^|\s)@(\S*)$/.exec(line)?.[1];
  if (path !== undefined) return { word: `@${path}`, hits: await listPaths(path, folder) };
  const [, name = '', rest] = /^\/([a-z]*)(?:\s+(.*))?$/.exec(line) ?? [];
  if (!line.startsWith('/')) return { word: '', hits: [] };
  if (rest === undefined)
    return {
      word: line,
      hits: startingWith(
        line,
        commands.map((command) => `/${command} `),
      ),
    };
  return { word: rest, hits: startingWith(rest, (await namesFor(name)) ?? []) };
}

/** The longest beginning that all hits have in common. */
export function commonStart(hits: string[]): string {
  const [first = '', ...others] = hits;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

async function listPaths(path: string, folder: string): Promise<string[]> {
  const parent = path.endsWith('/') ? path : dirname(`${path}x`);
  const shown = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const wanted = path.slice(shown.length);
  const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => []); // there is nothing to complete
  return entries
    .filter(({ name }) => name.startsWith(wanted) && (wanted.startsWith('.') || !name.startsWith('.')))
    .filter(({ name }) => !/\s/.test(name))
    .map((entry) => `@${shown}${entry.name}${entry.isDirectory() ? '/' : ' '}`)
    .sort();
}

function startingWith(begin: string, names: string[]): string[] {
  return names.filter((name) => name.startsWith(begin)).sort();
}
