import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { runCli } from '../../cli/run.ts';
import { untilAnswered, untilAsked } from '../../support/stack/moments.ts';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { type ProjectCase, scriptOf, sessionsOf, startCase, untilCompleted } from '../../support/stack/side-by-side.ts';

const heard = 'A steering message from the person who follows your work:\n\n';

const cases = {
  working: {
    features: [
      {
        name: 'working',
        work: [
          call('git_log'),
          call('list_files'),
          { ...call('run_command', { command: 'sleep 10; echo slept' }), expect: [`${heard}Use tabs.`] },
          { ...call('run_command', { command: 'sleep 10; echo again' }), expect: [`${heard}By hand.`] },
          { ...writes('working'), expect: [`${heard}Use spaces.`] },
        ],
      },
    ],
  },
  resting: {
    settings: { maxSessions: 1 },
    features: [
      { name: 'early' },
      {
        name: 'late',
        planning: [{ ...call('git_log'), expect: [`${heard}Mind the gap.`] }],
        work: [{ ...writes('late'), expect: ['worked on\n\n- Mind the gap.'] }],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

let stack: ServiceStack;
let project: ProjectHandle;

beforeAll(async () => {
  stack = await startServiceStack({ worker: 'process', script: scriptOf(cases) });
});
afterAll(() => stack?.stop());

test('a steering message during a model call is accepted once', async () => {
  stack.model.misbehave(
    { kind: 'delay', milliseconds: 10_000 },
    { match: { feature: 'working', role: 'code', turn: 2 } },
  );
  ({ project } = await startCase(stack, 'working', cases.working));
  await untilAsked(stack.model, project, 's1-work', 2);
  const request = { message: 'Use tabs.', id: randomUUID() };
  expect(await project.steer(request)).toEqual({ id: request.id, run: `${project.id}-s1-work` });
  await project.steer(request);
});

test('a paused project accepts steering messages, also through Temporal', async () => {
  await untilAnswered(project, 's1-work', 3);
  await project.pause();
  const { addresses } = stack;
  const update = ['workflow', 'update', 'execute', '--workflow-id', project.id, '--name', 'steer'];
  const input = ['--input', JSON.stringify({ message: 'By hand.', run: 's1-work' }), '-o', 'json'];
  const temporal = process.env.TEMPORAL_CLI_PATH ?? 'temporal';
  const run = promisify(execFile);
  const { stdout } = await run(temporal, [...update, ...input, '--address', addresses.temporal]);
  expect(stdout).toContain(`${project.id}-s1-work`);
  await expect(
    run(temporal, [...update, '--input', '{"message": "x", "run": "s7"}', '--address', addresses.temporal]),
  ).rejects.toThrow(/No run of .* is called "s7"/);
  await project.resume();
});

test('a worker that dies while it delivers a steering message loses nothing', async () => {
  await untilAnswered(project, 's1-work', 4); // its command is running
  await project.steer({ message: 'Use spaces.' });
  await stack.restartWorker();
  await untilCompleted(project);
});

test('each steering message is delivered once, at the next turn, after all results of earlier calls', async () => {
  const { messages } = await project.transcript('s1-work');
  for (const text of ['Use tabs.', 'By hand.', 'Use spaces.']) {
    const said = messages.filter(({ content }) => content.text === `${heard}${text}`);
    expect(said).toHaveLength(1);
    const before = messages.slice(0, said[0]?.number);
    const calls = before.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
    expect(before.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(calls);
  }
  const told = (await project.log()).filter(({ data }) => data.type === 'steering-message-delivered');
  expect(told).toHaveLength(3);
});

test('a steering message without a running agent reaches the next one', async () => {
  const { project } = await startCase(stack, 'resting', cases.resting);
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  const environment = stack.environment;
  expect(await runCli(['steer', project.id, 'Mind the gap.'], { environment })).toMatchObject({
    exitCode: 0,
    stdout: 'Stored: the next agent reads it before its first turn, since none is running.\n',
  });
  await project.resume();
  // The session limit is reached again, but nothing is left to do.
  await untilCompleted(project);
  expect(await sessionsOf(project)).toEqual(['early 1 PASSED', 'late 1 PASSED']);
  expect(await runCli(['steer', project.id, 'Too late.'], { environment })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is COMPLETED, so there is nothing to steer'),
  });
});
