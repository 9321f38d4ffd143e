import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { identifyProcess } from '../../config/process-identity.ts';
import { untilAnswered } from '../support/stack/moments.ts';
import { call, smallProject, writes } from '../support/stack/scripts.ts';
import { untilCompleted } from '../support/stack/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';
import { docker, sandboxesOf } from '../support/work/sandboxes-of.ts';

// The command counts its own starts, and verification fails unless there was exactly one.
const script = smallProject([
  {
    name: 'counted',
    planning: [
      call('record_decision', {
        title: 'Count',
        context: 'Runs',
        choice: 'By lines',
        reasoning: 'Simple',
        tags: ['count'],
      }),
      call('log_progress', { note: 'Planned to count.' }),
    ],
    work: [
      call('run_command', { command: 'echo begun >> runs.txt; sleep 8; echo done' }),
      call('edit_file', { path: 'runs.txt', old_text: 'begun\n', new_text: 'begun once\n' }),
      writes('counted'),
    ],
    command: 'sleep 2; test "$(cat runs.txt)" = "begun once" && grep -qx counted counted.txt',
  },
]);

let stack: TestStack;
let count = 0;

beforeAll(async () => {
  stack = await startTestStack({ script });
});
afterAll(() => stack?.stop());

async function start(): Promise<{ project: ProjectHandle; folder: string; undamaged(): Promise<void> }> {
  count += 1;
  const folder = join(stack.home, 'projects', `counted-${count}`);
  const project = await stack.longhaul.startProject({ goal: 'Count.', name: `counted-${count}`, folder });
  return {
    project,
    folder,
    async undamaged() {
      const now = await stack.longhaul.project(project.id);
      await untilCompleted(now);
      await expectUndamaged(now, stack.model, {
        folder,
        features: 1,
        commits: 2,
        decisions: 1,
        progressEntries: 3,
      });
    },
  };
}

// control-at-kills.test.ts kills single services at each moment.
test('everything killed at once, then up again, ends the same', async () => {
  const { project, undamaged } = await start();
  await untilAnswered(project, 's1-work', 1);
  const { services } = await stack.record();
  await stack.stopSupervisor('SIGKILL');
  for (const { pid } of services) if (pid) process.kill(pid, 'SIGKILL');
  await stack.up();
  await undamaged();
});

test('Postgres away at the moment of an answer: the answer is kept until it is back, not paid for twice', async () => {
  const { project, undamaged } = await start();
  const run = `${project.id}-s1-plan`;
  stack.model.misbehave({ kind: 'delay', milliseconds: 3000 }, { match: { run, turn: 1 } });
  await waitFor('the question', () =>
    stack.model.requests().some((request) => request.run === run && request.outcome === 'open'),
  );
  await sleep(2700);
  await stack.kill('postgres');
  await stack.untilBack();
  await undamaged();
});

test('a sandbox removed under the agent is replaced at the last commit, and the agent is told', async () => {
  const { project } = await start();
  await untilAnswered(project, 's1-work', 1);
  for (const name of await sandboxesOf(project.id)) await docker(undefined, 'rm', '-f', '-v', name);
  await waitFor('the agent to be told', async () => {
    const { messages } = await project.transcript('s1-work');
    return messages.some((message) => message.content.text.includes('The sandbox was lost'));
  });
  await project.abandon();
  await project.waitForEnd();
});

// The last one, since nothing is started again.
test('a worker ends with its killed supervisor', async () => {
  const { services } = await stack.record();
  const pidOf = (service: string) => services.find(({ name }) => name === service)?.pid as number;
  const isAlive = (pid: number) => identifyProcess(pid) !== undefined;
  await stack.stopSupervisor('SIGKILL');
  for (const server of ['temporal', 'postgres']) process.kill(pidOf(server), 'SIGKILL');
  await waitFor('the worker to end', () => !isAlive(pidOf('worker')));
});
