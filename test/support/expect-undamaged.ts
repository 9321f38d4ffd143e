import { expect } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import type { ScriptedModel } from '../../testing/index.ts';
import { sandboxesOf } from './sandboxes-of.ts';
import { gitIn } from './side-by-side.ts';

export interface Expected {
  folder: string;
  features: number;
  /** On the branch, the plan's and a person's included. */
  commits: number;
  decisions: number;
  /** Sessions, the plan's entry and the agents' notes. */
  progressEntries: number;
  /** Of all lineages, the plan's included; by default one for each feature. */
  checkpoints?: number;
  /** Of the Docker daemon that has its sandboxes; the machine's where absent. */
  host?: string | undefined;
}

/** What must hold of a project however often its processes died: nothing lost, nothing doubled, nothing paid twice. */
export async function expectUndamaged(project: ProjectHandle, model: ScriptedModel, expected: Expected): Promise<void> {
  const features = await project.features();
  expect(features.map((feature) => feature.status)).toEqual(new Array(expected.features).fill('PASSING'));
  const git = gitIn(expected.folder);
  expect(Number(git('rev-list', '--count', 'HEAD'))).toBe(expected.commits);
  expect(git('status', '--porcelain')).toBe('');
  expect(await project.decisions()).toHaveLength(expected.decisions);
  const events = (await project.log({ limit: 100_000 })).map((event) => event.data);
  expect(events.filter((event) => event.type === 'progress-logged')).toHaveLength(expected.progressEntries);
  expect(events.filter((event) => event.type === 'checkpoint-created')).toHaveLength(
    expected.checkpoints ?? expected.features + 1,
  );
  const interrupted = (await project.sessions()).filter((session) => session.status === 'INTERRUPTED');
  const stopped = interrupted.flatMap((session) => session.runs.map((run) => run.id));
  for (const { run } of events.filter((event) => event.type === 'run-started'))
    await expectWholeTranscript(project, run, stopped.includes(run));
  expectPaidOnce(project.id, model, events.filter((event) => event.type === 'turn-completed').length);
  expect(await sandboxesOf(project.id, expected)).toEqual([]);
}

/** Every tool call has exactly one result, right behind it; only the last ones of a run that was stopped may have none. */
async function expectWholeTranscript(project: ProjectHandle, run: string, stopped: boolean): Promise<void> {
  const { messages } = await project.transcript(run);
  expect(messages.map((message) => message.number)).toEqual(messages.map((_, index) => index));
  const asked = messages.flatMap((message) => message.content.toolCalls?.map((call) => call.id) ?? []);
  const answered = messages.flatMap((message) => message.content.toolCallId ?? []);
  expect(answered).toEqual(stopped ? asked.slice(0, answered.length) : asked);
}

/** A turn whose answer arrived and was stored was asked for once; only a request that a death cut off may be repeated. */
function expectPaidOnce(projectId: string, model: ScriptedModel, turns: number): void {
  const answered = model
    .requests()
    .filter((request) => request.project === projectId && request.outcome === 'answered');
  const names = answered.map((request) => `${request.run} ${request.turn}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(answered).toHaveLength(turns);
}
