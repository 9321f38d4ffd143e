import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientErrorCode } from '../../client/errors.ts';
import { type Control, controlsAt, leftAlone } from '../support/stack/controls.ts';
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
  moments: Moment[];
  /** The error that a call may fail with while the service is dead; repeated once it is back, the call succeeds. */
  refusal?: ClientErrorCode;
}

// What holds with nothing killed is in test/service/project/control.test.ts.
const kills: Kill[] = [
  {
    name: 'the worker killed',
    service: 'worker',
    moments: ['a model call', 'a command', 'the time between commit and verification'],
  },
  {
    name: 'the Temporal server killed',
    service: 'temporal',
    moments: ['a command'],
    refusal: 'TemporalUnreachable',
  },
  { name: 'Postgres killed', service: 'postgres', moments: ['a command'], refusal: 'DatabaseUnreachable' },
];

/** So that what hangs is named: half of the hook's limit. */
async function rejectLate(what: string): Promise<void> {
  await sleep(900_000, undefined, { ref: false });
  throw new Error(`Expected an end within 15 minutes: ${what}.`);
}

// Each kill hits several independent projects at once, each at its own moment.
describe.each(kills)('$name during', ({ name, service, moments, refusal }) => {
  const cells = moments.flatMap((moment) =>
    [leftAlone, ...controlsAt(moment, service)].map((control) => ({ ...control, moment })),
  );
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
  }, 1_800_000); // ten projects at once take long on a busy machine

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
