import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientErrorCode } from '../../client/errors.ts';
import { abandon, type Control, leftAlone, pause, pauseNow, revert } from '../support/stack/controls.ts';
import { type HeldProject, type Moment, scriptOfHeld, startHeld } from '../support/stack/held-project.ts';
import { type ServiceName, startTestStack, type TestStack } from '../support/stack/test-stack.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script: scriptOfHeld() });
});
afterAll(() => stack?.stop());

interface Kill {
  name: string;
  service: ServiceName;
  cells: Array<Control & { moment: Moment }>;
  /** The error that a call may fail with while the service is dead; repeated once it is back, the call succeeds. */
  refusal?: ClientErrorCode;
}

// Each control meets each kill and each moment once; while Temporal or Postgres is away, one signal fares like another, so that a pause meets the worker only.
// A held model call ends with its caller alone. What holds with nothing killed is in test/service/project/control.test.ts.
const kills: Kill[] = [
  {
    name: 'the worker killed',
    service: 'worker',
    cells: [
      { moment: 'a model call', ...leftAlone },
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
      { moment: 'a model call', ...revert },
      { moment: 'a command', ...abandon },
      { moment: 'the time between commit and verification', ...leftAlone },
    ],
    refusal: 'TemporalUnreachable',
  },
  {
    name: 'Postgres killed',
    service: 'postgres',
    cells: [
      { moment: 'a model call', ...abandon },
      { moment: 'a command', ...leftAlone },
      { moment: 'the time between commit and verification', ...revert },
    ],
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
