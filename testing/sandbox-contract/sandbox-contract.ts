import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandRule, ScriptedCommand } from '../scripted-sandbox/command-script.ts';
import { commandCases } from './command-cases.ts';
import type { SandboxContractCase } from './contract-case.ts';
import { copyCases } from './copy-cases.ts';
import { fileCases } from './file-cases.ts';
import { lifeCases } from './life-cases.ts';
import { workspaceCases } from './workspace-cases.ts';

/**
 * What every implementation of `Sandboxes` does; run each case as a test. A case throws an `AssertionError` where the implementation differs, and
 * closes the sandboxes that it opened.
 */
export const sandboxContract: SandboxContractCase[] = [
  ...lifeCases,
  ...commandCases,
  ...workspaceCases,
  ...fileCases,
  ...copyCases,
];

const never = new Promise<never>(() => undefined);

/** The commands of the cases, for sandboxes that need a script. */
export const sandboxContractCommands: CommandRule[] = [
  { match: 'echo once', result: appendLine },
  { match: 'exit 3', result: { output: 'no\n', exitCode: 3 } },
  { match: 'cat kept.txt', result: changeKept },
  { match: 'cat', result: ({ input = '' }) => ({ output: input }) },
  { match: 'seq', result: { output: `${Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')}\n` } },
  { match: 'sleep 0.', result: () => new Promise((resolve) => setTimeout(resolve, 300, { output: 'awake\n' })) },
  { match: 'touch begun', result: ({ workspace }) => writeFile(join(workspace, 'begun'), '').then(() => never) },
  { match: 'sleep 600', result: () => never },
  {
    match: 'rm -rf .git',
    result: ({ workspace }) => rm(join(workspace, '.git'), { recursive: true }).then(() => ({})),
  },
];

async function changeKept({ workspace, input = '' }: ScriptedCommand) {
  const output = `${await readFile(join(workspace, 'kept.txt'), 'utf8')}${input}`;
  await writeFile(join(workspace, 'kept.txt'), 'changed\n');
  return { output };
}

async function appendLine({ workspace }: ScriptedCommand) {
  await writeFile(join(workspace, 'lines.txt'), 'once\n', { flag: 'a' });
  return { output: 'done\n' };
}
