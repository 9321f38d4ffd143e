import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';
import { slugOf } from '../../domain/slug.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeMissingFile, writeMissingFile } from '../program/write-missing-file.ts';

/** The files of an agent's folder, by their templates. */
const files = {
  'agent-ts': 'agent.ts',
  'package-json': 'package.json',
  'tsconfig-json': 'tsconfig.json',
  readme: 'README.md',
};

/** Writes a folder with an agent in TypeScript that runs as it is; existing files stay. */
export async function initAgent(context: CommandContext, given: string): Promise<void> {
  const folder = resolve(context.folder, given);
  const values = { key: slugOf(basename(folder), 'agent'), ...(await readVersions()) };
  for (const [template, name] of Object.entries(files)) {
    const text = await readFile(join(packageRoot(), 'cli', 'agents', 'templates', template), 'utf8');
    context.print(describeMissingFile(await writeMissingFile(join(folder, name), fillIn(text, values))));
  }
  const path = relative(context.folder, folder);
  context.note(`Then: \`${path ? `cd ${path} && ` : ''}npm install\`, and \`longhaul run .\`; README.md says more.`);
}

/** Of this Longhaul, and of the zod that it works with. */
async function readVersions(): Promise<{ longhaul: string; zod: string }> {
  const { version, dependencies } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'));
  return { longhaul: version, zod: dependencies.zod };
}

function fillIn(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
