import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Script, ScriptEntry } from '../../testing/scripted-model/script.ts';
import type { CommandRunner } from './command-runner.ts';

const fileSchema = z.object({ path: z.string(), content: z.string() });

const proposalSchema = z.object({
  features: z.array(
    z.object({
      name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      description: z.string().min(1),
      category: z.enum(['functional', 'ui', 'integration', 'testing', 'documentation', 'performance', 'security']),
      priority: z.int().min(1).max(10),
      dependencies: z.array(z.string()),
      verification: z.object({
        steps: z.array(z.object({ description: z.string(), command: z.string().optional() })).min(1),
        files: z.array(fileSchema).default([]),
      }),
    }),
  ),
  setup_script: z.string(),
  smoke_check: z.string(),
  files: z.array(fileSchema),
});

export type Proposal = z.output<typeof proposalSchema>;
export type ProposedFeature = Proposal['features'][number];

/** A feature's work in the order of a project's sessions. */
export interface Attempt {
  feature: ProposedFeature;
  attempt: number;
}

/** What the scripted initializer proposes. */
export function proposalOf(script: Script): Proposal {
  const entry = script.entries.find((candidate) => candidate.role === 'initializer');
  const call = entry?.turns.flatMap((turn) => turn.calls).find((candidate) => candidate.tool === 'propose_project');
  return proposalSchema.parse(call?.arguments);
}

/** The role that works on a feature. */
export function roleOf(feature: ProposedFeature): string {
  return feature.category === 'documentation' || feature.category === 'testing' ? feature.category : 'code';
}

/** The entry that answers an attempt, as the scripted model chooses it. */
export function entryOf(script: Script, role: string, { feature, attempt }: Attempt): ScriptEntry {
  const fitting = script.entries.filter((entry) => entry.role === role && entry.feature === feature.name);
  const entry =
    fitting.find((candidate) => candidate.attempt === attempt) ??
    fitting.find((candidate) => candidate.attempt === undefined);
  if (entry === undefined) throw new Error(`The script has no entry for ${role}, ${feature.name}, attempt ${attempt}.`);
  return entry;
}

/** Makes the folder of a project's first commit. */
export async function writeFirstCommit(folder: string, proposal: Proposal): Promise<void> {
  const files = [
    ...proposal.files,
    ...proposal.features.flatMap((feature) => feature.verification.files),
    { path: 'init.sh', content: proposal.setup_script },
  ];
  for (const file of files) await write(folder, file.path, file.content);
}

/** Does in a folder what the agent of an entry does: writes, edits and commands, which all have to succeed. */
export async function playEntry(entry: ScriptEntry, folder: string, run: CommandRunner): Promise<void> {
  for (const { tool, arguments: given } of entry.turns.flatMap((turn) => turn.calls)) {
    const argument = (name: string): string => z.string().parse(given[name], { reportInput: true });
    if (tool === 'write_file') await write(folder, argument('path'), argument('content'));
    if (tool === 'edit_file') await edit(folder, argument('path'), argument('old_text'), argument('new_text'));
    if (tool === 'read_file') await readFile(join(folder, argument('path')));
    if (tool === 'run_command') {
      const { exitCode, output } = await run(argument('command'), folder);
      if (exitCode !== 0)
        throw new Error(`${entry.feature}: ${argument('command')} ended with ${exitCode}:\n${output}`);
    }
  }
}

/** Runs the verification of features in a copy of a folder; returns the output of the first command that failed. */
export async function verify(
  features: ProposedFeature[],
  folder: string,
  run: CommandRunner,
): Promise<string | undefined> {
  const copy = `${folder}-verification`;
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  for (const command of joinPytest(features.flatMap(({ verification }) => verification.steps.flatMap(commandOf)))) {
    const { exitCode, output } = await run(command, copy);
    if (exitCode !== 0) return `${command} ended with ${exitCode}:\n${output}`;
  }
  return undefined;
}

function commandOf({ command }: { command?: string | undefined }): string[] {
  return command === undefined ? [] : [command];
}

/** One run of pytest in the place of many: starting it takes longer than most of these tests do. */
function joinPytest(commands: string[]): string[] {
  const pytest = 'python3 -m pytest ';
  const files = commands.filter((command) => command.startsWith(pytest)).map((command) => command.slice(pytest.length));
  const others = commands.filter((command) => !command.startsWith(pytest));
  return files.length > 0 ? [`${pytest}${files.join(' ')}`, ...others] : others;
}

async function write(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

async function edit(folder: string, path: string, before: string, after: string): Promise<void> {
  const content = await readFile(join(folder, path), 'utf8');
  const found = content.split(before).length - 1;
  if (found !== 1) throw new Error(`Expected the text once in ${path}, found it ${found} times:\n${before}`);
  await writeFile(
    join(folder, path),
    content.replace(before, () => after),
  );
}
