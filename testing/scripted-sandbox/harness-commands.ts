import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ScriptedCommand, ScriptedResult } from './command-script.ts';

/** Answers the harness's own commands, so that a script need only answer those of agents and projects. */
export function answerHarness(command: ScriptedCommand): ScriptedResult | Promise<ScriptedResult> | undefined {
  if (command.script.includes('/usr/bin/sha256sum --check') || command.script.includes('found() {'))
    return checkFiles(command);
  if (command.script.startsWith('# Put files in place\n')) return placeFiles(command);
  if (command.id.startsWith('tidy-')) return {};
  return undefined;
}

/** Whether a command replaces checks by ones that must fail; see `runProven`. */
export function spoilsChecks({ script }: ScriptedCommand): boolean {
  return script.startsWith('# Put files in place, checks spoiled\n');
}

/** Writes the files that the input has one after another; the script says how long each is. */
async function placeFiles({ script, workspace, input = '' }: ScriptedCommand): Promise<ScriptedResult> {
  let rest = Buffer.from(input);
  for (const [, bytes, place = ''] of script.matchAll(/head -c (\d+) >'([^']+)'/g)) {
    const path = join(workspace, place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, rest.subarray(0, Number(bytes)));
    rest = rest.subarray(Number(bytes));
  }
  return {};
}

/** See `protectedFilesCheck`: sums, whose size the script says, then the files of protected folders. */
async function checkFiles(command: ScriptedCommand): Promise<ScriptedResult> {
  const { script, input = '' } = command;
  const all = Buffer.from(input);
  const bytes = Number(/head -c (\d+)/.exec(script)?.[1] ?? 0);
  const checked = await checkSums({ ...command, input: all.subarray(0, bytes).toString() });
  return checked.exitCode ? checked : findOthers({ ...command, input: all.subarray(bytes).toString() });
}

/** As `sha256sum --check --quiet` does. */
async function checkSums({ workspace, input = '' }: ScriptedCommand): Promise<ScriptedResult> {
  const failed: string[] = [];
  for (const line of input.split('\n').filter(Boolean)) {
    const [sum = '', ...rest] = line.replace(/^\\/, '').split('  ');
    const path = rest.join('  ').replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
    const content = await readFile(join(workspace, path)).catch(() => undefined);
    if (!content || createHash('sha256').update(content).digest('hex') !== sum) failed.push(`${path}: FAILED\n`);
  }
  return failed.length > 0 ? { output: failed.join(''), exitCode: 1 } : {};
}

/** Fails if a protected folder (in quotes in the script) has files that the input does not name. */
async function findOthers({ workspace, script, input = '' }: ScriptedCommand): Promise<ScriptedResult> {
  const known = new Set(input.split('\0'));
  const others: string[] = [];
  for (const [, folder = ''] of script.matchAll(/'\.\/([^']+)\/'/g)) {
    const entries = await readdir(join(workspace, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const paths = files.map((entry) => `./${relative(workspace, join(entry.parentPath, entry.name))}`);
    others.push(...paths.filter((path) => !known.has(path)));
  }
  if (others.length === 0) return {};
  const first = 'The set-up script created files in protected folders, which must not change:';
  return { output: [first, ...others, ''].join('\n'), exitCode: 1 };
}
