import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { checkProposal } from '../../agents/proposal.ts';
import type { Role } from '../../agents/role.ts';
import { type ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { packageRoot } from '../../config/package-root.ts';
import { loadScript, type Script } from '../../testing/index.ts';
import { type CommandRunner, findCommandRunner } from './command-runner.ts';
import {
  type Attempt,
  entryOf,
  type Proposal,
  type ProposedFeature,
  playEntry,
  proposalOf,
  roleOf,
  verify,
  writeFirstCommit,
} from './play-script.ts';

const failing = 'monthly-report';

let temporary: string;
let run: CommandRunner;
let script: Script;
let proposal: Proposal;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'spend-'));
  run = await findCommandRunner(temporary);
  script = await loadScript(join(packageRoot(), 'examples/spend/script'));
  proposal = proposalOf(script);
});
afterAll(() => rm(temporary, { recursive: true }));

/** The order of a project's sessions: new features with passing dependencies by priority, then those that failed. */
function sessions(features: ProposedFeature[]): Attempt[] {
  const passing = new Set<string>();
  const attempts: Attempt[] = [];
  while (passing.size < features.length) {
    const ready = features
      .filter(({ name, dependencies }) => !passing.has(name) && dependencies.every((needed) => passing.has(needed)))
      .map((feature) => ({ feature, tried: attempts.filter((attempt) => attempt.feature === feature).length }))
      .sort((one, other) => one.tried - other.tried || other.feature.priority - one.feature.priority);
    const next = ready[0];
    if (next === undefined) throw new Error('No feature is ready: the dependencies have a cycle.');
    attempts.push({ feature: next.feature, attempt: next.tried + 1 });
    if (next.feature.name !== failing || next.tried > 0) passing.add(next.feature.name);
  }
  return attempts;
}

test('the proposal has what the example promises: ten features, all categories but none unknown, dependencies that exist', () => {
  const names = proposal.features.map((feature) => feature.name);
  expect(new Set(names).size).toBe(10);
  expect(new Set(proposal.features.map((feature) => feature.category)).size).toBe(7);
  for (const feature of proposal.features) {
    expect(names).toEqual(expect.arrayContaining(feature.dependencies));
    expect(feature.verification.steps.some((step) => step.command !== undefined)).toBe(true);
  }
});

test('every call of the script fits the tools that its agent has', () => {
  for (const entry of script.entries) {
    const { tools } = agentDefinitions[entry.role as Role];
    for (const call of entry.turns.flatMap((turn) => turn.calls)) {
      expect(tools).toContain(call.tool);
      toolDeclarations[call.tool as ToolName].parameters.parse(call.arguments);
      if (call.tool === 'propose_project') expect(checkProposal(call.arguments)).not.toHaveProperty('complaints');
    }
  }
});

test('no agent of the example touches a protected file, and each run ends as its role must', () => {
  const protectedPaths = proposal.features.flatMap((feature) => feature.verification.files.map((file) => file.path));
  for (const entry of script.entries) {
    const last = entry.turns.at(-1)?.calls.map((call) => call.tool);
    const ends: Record<string, string> = { initializer: 'propose_project', planner: 'submit_plan' };
    expect(last).toEqual([ends[entry.role] ?? 'finish']);
    for (const call of entry.turns.flatMap((turn) => turn.calls)) {
      if (call.tool === 'write_file' || call.tool === 'edit_file')
        expect(protectedPaths).not.toContain(call.arguments.path);
    }
  }
});

test('what a turn expects to be told was said before, by a decision or by a verification that failed', () => {
  const decisions = script.entries
    .flatMap((entry) => entry.turns.flatMap((turn) => turn.calls))
    .filter((call) => call.tool === 'record_decision')
    .map((call) => JSON.stringify(call.arguments))
    .join('\n');
  const report = proposal.features.find((feature) => feature.name === failing);
  const tests = report?.verification.files.map((file) => file.content).join('\n') ?? '';
  const expected = script.entries.flatMap((entry) => entry.turns.flatMap((turn) => turn.expect));
  expect(expected.length).toBeGreaterThan(3);
  for (const text of expected) expect(`${decisions}\n${tests}`).toContain(text);
});

test('played in order, one attempt fails as intended, every other one passes, and nothing that passed breaks', async () => {
  const head = join(temporary, 'head');
  await writeFirstCommit(head, proposal);
  const passed: ProposedFeature[] = [];
  const failures: string[] = [];
  let modelCalls = 1;
  for (const attempt of sessions(proposal.features)) {
    const { feature } = attempt;
    const work = join(temporary, `${feature.name}-${attempt.attempt}`);
    await cp(head, work, { recursive: true, preserveTimestamps: true });
    expect(await run('bash init.sh', work)).toMatchObject({ exitCode: 0 });
    expect(await run(proposal.smoke_check, work)).toMatchObject({ exitCode: 0 });
    const entries = [entryOf(script, 'planner', attempt), entryOf(script, roleOf(feature), attempt)];
    for (const entry of entries) {
      await playEntry(entry, work, run);
      modelCalls += entry.turns.length;
    }
    const failure = await verify([feature], work, run);
    if (failure !== undefined) {
      failures.push(`${feature.name} ${attempt.attempt}\n${failure}`);
      continue;
    }
    expect(await verify(passed, work, run)).toBeUndefined();
    passed.push(feature);
    await rm(head, { recursive: true });
    await cp(work, head, { recursive: true, preserveTimestamps: true });
  }
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatch(/^monthly-report 1\n/);
  expect(failures[0]?.slice(-220)).toContain('test_a_report_ends_with_the_last_day_of_its_month');
  expect(passed).toHaveLength(10);
  expect(modelCalls).toBeGreaterThanOrEqual(60);
  expect(modelCalls).toBeLessThanOrEqual(90);
  expect(await readdir(head)).toEqual(expect.arrayContaining(['README.md', 'acceptance', 'bin', 'spend', 'tests']));
}, 600_000);
