import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { expectUndamaged } from '../support/expect-undamaged.ts';
import { call, smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack, waitFor } from '../support/test-stack.ts';

// The command tells how often it was begun, and verification fails where that is not once.
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
      call('run_command', { command: 'echo begun >> runs.txt; sleep 3; echo done' }),
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
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

async function start(): Promise<{ project: ProjectHandle; undamaged(): Promise<void> }> {
  count += 1;
  const folder = join(stack.home, `counted-${count}`);
  const project = await stack.longhaul.startProject({ goal: 'Count.', name: `counted-${count}`, folder });
  return {
    project,
    async undamaged() {
      expect(await project.waitForEnd()).toMatchObject({ status: 'COMPLETED' });
      await expectUndamaged(project, stack.model, {
        folder,
        features: 1,
        commits: 2,
        decisions: 1,
        progressEntries: 3,
      });
    },
  };
}

/** Waits until the run's turn was answered, so that its tool call is under way. */
async function untilTurn(project: ProjectHandle, run: string, turn: number): Promise<void> {
  await waitFor(`turn ${turn} of ${run}`, 60_000, async () =>
    (await project.log()).some(
      ({ data }) => data.type === 'turn-completed' && data.run === `${project.id}-${run}` && data.turn === turn,
    ),
  );
}

async function untilAsked(project: ProjectHandle, run: string, turn: number): Promise<void> {
  await waitFor(`turn ${turn} of ${run} to be asked`, 60_000, () =>
    stack.model.requests().some((one) => one.run === `${project.id}-${run}` && one.turn === turn),
  );
}

async function untilCommitted(project: ProjectHandle): Promise<void> {
  const folder = join(stack.home, `counted-${count}`);
  await waitFor('the commit of the session', 60_000, () =>
    execFileSync('git', ['-C', folder, 'for-each-ref', `refs/longhaul/sessions/${project.id}-s1`], {
      encoding: 'utf8',
    }).includes('commit'),
  );
}

/** Until the supervisor has started the service again. */
async function untilBack(service: string, restarts: number): Promise<void> {
  await waitFor(`${service} to be back`, 60_000, async () => {
    const found = (await stack.record()).services.find((one) => one.name === service);
    return found?.state === 'ready' && found.restarts > restarts;
  });
}

async function restartsOf(service: string): Promise<number> {
  return (await stack.record()).services.find((one) => one.name === service)?.restarts ?? 0;
}

const limit = 180_000;

test(
  'the worker killed during a model call asks again and stores one answer',
  async () => {
    stack.model.misbehave({ kind: 'delay', milliseconds: 3000 }, { match: { role: 'code', turn: 2 } });
    const { project, undamaged } = await start();
    await untilAsked(project, 's1-work', 2);
    await stack.kill('worker');
    await undamaged();
  },
  limit,
);

test(
  'the worker killed during a command finds it still running and does not begin it again',
  async () => {
    const { project, undamaged } = await start();
    await untilTurn(project, 's1-work', 1);
    await stack.kill('worker');
    await undamaged();
  },
  limit,
);

test(
  'the worker killed between commit and verification makes no second commit',
  async () => {
    const { project, undamaged } = await start();
    await untilCommitted(project);
    await stack.kill('worker');
    await undamaged();
  },
  limit,
);

test(
  'the Temporal server killed during a command goes on from its file',
  async () => {
    const { project, undamaged } = await start();
    await untilTurn(project, 's1-work', 1);
    const restarts = await restartsOf('temporal');
    await stack.kill('temporal');
    await untilBack('temporal', restarts);
    await undamaged();
  },
  limit,
);

test(
  'Postgres killed during a command loses no row',
  async () => {
    const { project, undamaged } = await start();
    await untilTurn(project, 's1-work', 1);
    const restarts = await restartsOf('postgres');
    await stack.kill('postgres');
    await untilBack('postgres', restarts);
    await undamaged();
  },
  limit,
);

test(
  'everything killed at once, then up again, ends the same',
  async () => {
    const { project, undamaged } = await start();
    await untilTurn(project, 's1-work', 1);
    const { services } = await stack.record();
    await stack.stopSupervisor('SIGKILL');
    for (const { pid } of services) if (pid) process.kill(pid, 'SIGKILL');
    await stack.up();
    await undamaged();
  },
  limit,
);

test(
  'a pause sent while the worker is dead holds, and the resume ends the same',
  async () => {
    const { project, undamaged } = await start();
    await untilTurn(project, 's1-work', 1);
    await stack.kill('worker');
    await project.pause();
    await waitFor('the pause to be shown', 60_000, async () => (await project.status()).status === 'PAUSED');
    await project.resume();
    await undamaged();
  },
  limit,
);

test(
  'a sandbox removed under the agent is opened again at the last commit, and the agent is told',
  async () => {
    const { project } = await start();
    await untilTurn(project, 's1-work', 1);
    const name = execFileSync('docker', ['ps', '-q', '--filter', `label=longhaul.project=${project.id}`], {
      encoding: 'utf8',
    }).trim();
    execFileSync('docker', ['rm', '-f', '-v', name]);
    await waitFor('the agent to be told', 60_000, async () => {
      const { messages } = await project.transcript('s1-work');
      return messages.some((message) => message.content.text.includes('The sandbox was lost'));
    });
    await project.abandon();
  },
  limit,
);
