import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readFrontMatter } from '../../agents/front-matter.ts';

/** A message of a person's own that a word stands for: `/name words` in a chat sends it. */
export interface OwnCommand {
  name: string;
  /** For a list. */
  description?: string;
  path: string;
  /** May have `$ARGUMENTS` and `$1` to `$9`. */
  text: string;
}

export interface OwnCommands {
  commands: Map<string, OwnCommand>;
  /** Files that cannot be used, one sentence each. */
  problems: string[];
}

const maxBytes = 100_000;
const frontMatterSchema = z.object({ description: z.string().trim().optional() });

/** Reads the Markdown files in `commands/` of each folder; of two with one name that of the earlier folder counts. `taken` are names that cannot be used. */
export function readOwnCommands(folders: readonly string[], taken: readonly string[]): OwnCommands {
  const commands = new Map<string, OwnCommand>();
  const problems: string[] = [];
  for (const folder of folders.map((one) => join(one, 'commands'))) {
    for (const file of listMarkdown(folder)) {
      const read = readCommand(join(folder, file), file.slice(0, -'.md'.length), taken);
      if (typeof read === 'string') problems.push(read);
      else if (!commands.has(read.name)) commands.set(read.name, read);
    }
  }
  return { commands, problems };
}

function listMarkdown(folder: string): string[] {
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && lstatSync(join(folder, file)).isFile())
    .sort();
}

/** A sentence if it cannot be used. */
function readCommand(path: string, name: string, taken: readonly string[]): OwnCommand | string {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    return `${path} cannot be used: expected a name in kebab-case, such as "fix-issue.md".`;
  if (taken.includes(name)) return `${path} cannot be used: /${name} is a command of Longhaul. Rename the file.`;
  if (lstatSync(path).size > maxBytes) return `${path} cannot be used: expected at most ${maxBytes} bytes.`;
  const text = readFileSync(path, 'utf8');
  const read = readFrontMatter(text) ?? { values: {}, body: text.trim() };
  if ('complaint' in read) return `${path} cannot be used: expected YAML between the lines "---": ${read.complaint}`;
  const parsed = frontMatterSchema.safeParse(read.values);
  if (!parsed.success) return `${path} cannot be used: expected a text as description.`;
  if (!read.body) return `${path} cannot be used: expected a text, got none.`;
  const { description } = parsed.data;
  return { name, path, text: read.body, ...(description && { description }) };
}

/** The message that a command sends. Words that it has no place for follow its text. */
export function expandCommand({ text }: Pick<OwnCommand, 'text'>, given: string): string {
  const words = given.split(/\s+/).filter(Boolean);
  const places = /\$(ARGUMENTS\b|[1-9](?!\d))/g;
  const filled = text.replace(places, (_, place: string) =>
    place === 'ARGUMENTS' ? given : (words[Number(place) - 1] ?? ''),
  );
  return given && !text.match(places) ? `${text}\n\n${given}` : filled;
}
