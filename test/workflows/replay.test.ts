import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { packageRoot } from '../../config/package-root.ts';
import { workflowBundleOfRun } from '../support/workflow-bundle-of-run.ts';

const folder = join(packageRoot(), 'test', 'histories');
const recordings = readdirSync(folder).filter((name) => name.endsWith('.json'));

let options: ReplayWorkerOptions;

beforeAll(async () => {
  options = { workflowBundle: await workflowBundleOfRun() };
});

test('every workflow has a recorded history', () => {
  const types = new Set(recordings.map((name) => startOf(read(name)).workflowType.name));
  const index = readFileSync(join(packageRoot(), 'workflows', 'index.ts'), 'utf8');
  const all = [...index.matchAll(/\{ (\w+) \}/g)].map(([, name]) => name);
  expect([...types].sort()).toEqual(all.sort());
});

test('a project that continued as new is among the recorded histories', () => {
  const continued = recordings.map(read).filter(({ events }) => events.at(-1)?.eventType?.endsWith('CONTINUED_AS_NEW'));
  expect(continued.map((history) => startOf(history).workflowType.name)).toContain('projectWorkflow');
});

test.each(recordings)('a change of the workflow code does not break the recorded history %s', async (name) => {
  const history = read(name);
  await expect(Worker.runReplayHistory(options, history, startOf(history).workflowId)).resolves.toBeUndefined();
});

test('a workflow that no longer does what its history says fails the replay', async () => {
  const recording = recordings.find((name) => startOf(read(name)).workflowType.name === 'sessionWorkflow');
  if (!recording) throw new Error('Expected a recorded session.');
  const tampered = read(recording);
  const scheduled = tampered.events.find((event) => event.activityTaskScheduledEventAttributes);
  if (scheduled?.activityTaskScheduledEventAttributes)
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
  await expect(Worker.runReplayHistory(options, tampered, startOf(tampered).workflowId)).rejects.toThrow(
    DeterminismViolationError,
  );
});

test('a history replays where its pauses have another length by now', async () => {
  const recording = recordings.find((name) => read(name).events.some((event) => event.timerStartedEventAttributes));
  if (!recording) throw new Error('Expected a recorded history with a timer.');
  const history = read(recording);
  for (const { timerStartedEventAttributes: timer } of history.events) if (timer) timer.startToFireTimeout = '77s';
  await expect(Worker.runReplayHistory(options, history, startOf(history).workflowId)).resolves.toBeUndefined();
});

interface RecordedEvent {
  eventType?: string;
  timerStartedEventAttributes?: { startToFireTimeout: string };
  workflowExecutionStartedEventAttributes?: { workflowId: string; workflowType: { name: string } };
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

function read(name: string): { events: RecordedEvent[] } {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

function startOf(history: { events: RecordedEvent[] }): { workflowId: string; workflowType: { name: string } } {
  const start = history.events[0]?.workflowExecutionStartedEventAttributes;
  if (!start) throw new Error('Expected a history to begin with the start of its workflow.');
  return start;
}
