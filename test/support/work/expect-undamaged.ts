import { expect } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import type { ScriptedModel } from '../../../testing/index.ts';
import { gitIn } from '../stack/side-by-side.ts';
import { sandboxesOf } from './sandboxes-of.ts';

export interface Expected {
  folder: string;
  features: number;
  /** On the branch, including the plan's and any by a person. */
  commits: number;
  decisions: number;
  /** One for the plan and one per session, and the agents' notes. */
  progressEntries: number;
  /** How many answers may have been lost between arrival and storage: one for each worker that was killed at work. */
  lost?: number;
  /** How many turns may have been answered, but not stored, since their run was stopped at that moment. */
  stopped?: number;
  /** The Docker daemon that has its sandboxes; the machine's if absent. */
  host?: string | undefined;
}

/** Expects what must hold of a project however often its processes died: nothing lost, nothing doubled, nothing paid twice. */
export async function expectUndamaged(project: ProjectHandle, model: ScriptedModel, expected: Expected): Promise<void> {
  const features = await project.features();
  expect(features.map((feature) => feature.status)).toEqual(new Array(expected.features).fill('PASSING'));
  const git = gitIn(expected.folder);
  expect(Number(git('rev-list', '--count', 'HEAD'))).toBe(expected.commits);
  expect(git('status', '--porcelain')).toBe('');
  expect(await project.decisions()).toHaveLength(expected.decisions);
  const events = (await project.log({ limit: 100_000 })).map((event) => event.data);
  expect(events.filter((event) => event.type === 'progress.logged')).toHaveLength(expected.progressEntries);
  expect(events.filter((event) => event.type === 'checkpoint.created')).toHaveLength(expected.features + 1);
  for (const { run } of events.filter((event) => event.type === 'run.started'))
    await expectWholeTranscript(project, run);
  const turns = events.filter((event) => event.type === 'assistant.message').length;
  expectPaidOnce(project.id, model, { turns, lost: expected.lost ?? 0, stopped: expected.stopped ?? 0 });
  expect(await sandboxesOf(project.id, expected)).toEqual([]);
}

/** Expects exactly one result for each tool call, in order, even if the run was stopped. */
async function expectWholeTranscript(project: ProjectHandle, run: string): Promise<void> {
  const { messages } = await project.transcript(run);
  expect(messages.map((message) => message.number)).toEqual(messages.map((_, index) => index));
  const asked = messages.flatMap((message) => message.content.toolCalls?.map((call) => call.id) ?? []);
  const answered = messages.flatMap((message) => message.content.toolCallId ?? []);
  expect(answered).toEqual(asked);
}

/**
 * Expects that each stored turn was answered once; only turns whose answer was lost with its worker may have been answered again. Requests that were
 * cut off do not count.
 */
function expectPaidOnce(
  projectId: string,
  model: ScriptedModel,
  expected: { turns: number; lost: number; stopped: number },
): void {
  const answered = model
    .requests()
    .filter((request) => request.project === projectId && request.outcome === 'answered');
  const names = answered.map((request) => `${request.run} ${request.turn}`);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  expect(repeated.slice(expected.lost)).toEqual([]);
  const unstored = new Set(names).size - expected.turns;
  expect(unstored).toBeGreaterThanOrEqual(0);
  expect(unstored).toBeLessThanOrEqual(expected.stopped);
}
