import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientErrorCode } from '../../client/errors.ts';
import { identifyProcess } from '../../config/process-identity.ts';
import { abandon, type Control, leftAlone, pause, pauseNow, revert } from '../support/stack/controls.ts';
import { type HeldProject, type Moment, scriptOfHeld, startHeld } from '../support/stack/held-project.ts';
import { scriptOf, startCase, untilCompleted } from '../support/stack/side-by-side.ts';
import { type ServiceName, startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';

const answered = { features: [{ name: 'answered' }] };

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script: { entries: [...scriptOfHeld().entries, ...scriptOf({ answered }).entries] } });
});
afterAll(() => stack?.stop());

interface Kill {
  name: string;
  service: ServiceName;
  cells: Array<Control & { moment: Moment }>;
  /** The error that a call may fail with while the service is dead; repeated once it is back, the call succeeds. */
  refusal?: ClientErrorCode;
}

// Each control meets the worker's death; while Temporal or Postgres is away, one signal fares like another.
// A held model call ends with its caller alone. What holds with nothing killed is in test/service/project/control.test.ts.
const kills: Kill[] = [
  {
    name: 'the worker killed',
    service: 'worker',
    cells: [
      { moment: 'a model call', ...pause },
      { moment: 'a command', ...pauseNow },
      { moment: 'a command', ...revert },
      { moment: 'the time between commit and verification', ...pause },
      { moment: 'the time between commit and verification', ...abandon },
    ],
  },
  {
    name: 'the Temporal server killed',
    service: 'temporal',
    cells: [
      { moment: 'a command', ...abandon },
      { moment: 'the time between commit and verification', ...leftAlone },
    ],
    refusal: 'TemporalUnreachable',
  },
  {
    name: 'Postgres killed',
    service: 'postgres',
    cells: [{ moment: 'the time between commit and verification', ...revert }],
    refusal: 'DatabaseUnreachable',
  },
];

/** So that what hangs is named: half of the hook's limit. */
async function rejectLate(what: string): Promise<void> {
  await sleep(900_000, undefined, { ref: false });
  throw new Error(`Expected an end within 15 minutes: ${what}.`);
}

// Each kill hits several independent projects at once, each at its own moment.
describe.each(kills)('$name during', ({ name, service, cells, refusal }) => {
  const outcomes = new Map<Control, Promise<void>>();

  beforeAll(async () => {
    const start = (cell: (typeof cells)[number], index: number) =>
      startHeld(stack, `${name} ${index}`.replaceAll(' ', '-'), cell);
    const projects = cells.map((cell, index) => ({ cell, starting: start(cell, index) }));
    await Promise.all(projects.map(({ starting }) => starting));
    await stack.kill(service);
    for (const { cell, starting } of projects) {
      const outcome = starting.then((held) => controlled(cell, held));
      outcomes.set(cell, Promise.race([outcome, rejectLate(`${cell.moment}: ${cell.name}`)]));
    }
    await Promise.allSettled(outcomes.values());
  }, 1_800_000); // several projects at once take long on a busy machine

  test.each(cells)('$moment: $name', async (cell) => {
    expect(outcomes.has(cell)).toBe(true);
    await outcomes.get(cell);
  });

  async function controlled(cell: Control, held: HeldProject): Promise<void> {
    const answer = await sendAtOnce(() => cell.send(held));
    await stack.untilBack();
    await cell.expectHolds(held, answer);
  }

  async function sendAtOnce(send: () => Promise<unknown>): Promise<unknown> {
    try {
      return await send();
    } catch (error) {
      if (!refusal) throw error;
      expect(error).toMatchObject({ code: refusal });
      await stack.untilBack();
      return send();
    }
  }
});

test('Postgres away at the moment of an answer: the answer is kept until it is back, not paid for twice', async () => {
  stack.model.misbehave({ kind: 'delay', milliseconds: 3000 }, { match: { feature: 'answered', role: 'planner' } });
  const { project, folder } = await startCase(stack, 'answered', answered);
  await waitFor('the question', () =>
    stack.model.requests().some(({ feature, outcome }) => feature === 'answered' && outcome === 'open'),
  );
  await sleep(2700);
  await stack.kill('postgres');
  await stack.untilBack();
  await untilCompleted(project);
  const counts = { features: 1, commits: 2, decisions: 0, progressEntries: 2 };
  await expectUndamaged(project, stack.model, { folder, ...counts });
});

test('everything killed at once during a command, then up again, ends the same', async () => {
  const held = await startHeld(stack, 'everything', { moment: 'a command' });
  const { services } = await stack.record();
  await stack.stopSupervisor('SIGKILL');
  for (const { pid } of services) if (pid) process.kill(pid, 'SIGKILL');
  await stack.up();
  await leftAlone.expectHolds({ ...held, project: await stack.longhaul.project(held.project.id) }, undefined);
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
