import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { type ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { packageRoot } from '../../config/package-root.ts';
import { checkProposal, type Proposal, proposalSchema } from '../../domain/project/proposal.ts';
import type { Role } from '../../domain/run/role.ts';
import { loadScript, type Script } from '../../testing/index.ts';

// Checks of the example that need no run; test/e2e/example.test.ts runs it.
const failing = 'monthly-report';

let script: Script;
let proposal: Proposal;
beforeAll(async () => {
  script = await loadScript(join(packageRoot(), 'examples/spend/script'));
  const initializer = script.entries.find((entry) => entry.role === 'initializer');
  proposal = proposalSchema.parse(initializer?.turns.flatMap((turn) => turn.calls)[0]?.arguments);
});

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

test('what a turn expects to be told was said before, by the instructions, a decision or a failed verification', () => {
  const decisions = script.entries
    .flatMap((entry) => entry.turns.flatMap((turn) => turn.calls))
    .filter((call) => call.tool === 'record_decision')
    .map((call) => JSON.stringify(call.arguments))
    .join('\n');
  const report = proposal.features.find((feature) => feature.name === failing);
  const tests = report?.verification.files.map((file) => file.content).join('\n') ?? '';
  const instructions = proposal.files.find(({ path }) => path === 'AGENTS.md')?.content ?? '';
  const expected = script.entries.flatMap((entry) => entry.turns.flatMap((turn) => turn.expect));
  expect(expected.length).toBeGreaterThan(3);
  for (const text of expected) expect(`${instructions}\n${decisions}\n${tests}`).toContain(text);
});
