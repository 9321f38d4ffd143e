import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseUnreachableError, TemporalUnreachableError } from '../../client/errors.ts';
import { type Control, controlsAt } from '../support/controls.ts';
import { type Moment, scriptOfHeld, startHeld } from '../support/held-project.ts';
import { type ServiceName, startTestStack, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script: scriptOfHeld() });
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

interface Kill {
  name: string;
  service?: ServiceName;
  moments: Moment[];
  /** How a call may fail while that service is dead; made again when it is back, it works. */
  refusal?: new (
    message: string,
  ) => Error;
}

const kills: Kill[] = [
  { name: 'nothing killed', moments: ['the time between commit and verification'] },
  {
    name: 'the worker killed',
    service: 'worker',
    moments: ['a model call', 'a command', 'the time between commit and verification'],
  },
  {
    name: 'the Temporal server killed',
    service: 'temporal',
    moments: ['a command'],
    refusal: TemporalUnreachableError,
  },
  { name: 'Postgres killed', service: 'postgres', moments: ['a command'], refusal: DatabaseUnreachableError },
];

// One kill is for all projects that it is to meet, each at its moment; they are independent of each other, so all go on at once.
describe.each(kills)('$name during', ({ name, service, moments, refusal }) => {
  const cells = moments.flatMap((moment) => controlsAt(moment).map((control) => ({ ...control, moment })));
  const outcomes = new Map<Control, Promise<void>>();

  beforeAll(async () => {
    const start = (cell: (typeof cells)[number], index: number) =>
      startHeld(stack, `${name} ${index}`.replaceAll(' ', '-'), cell);
    const projects = await Promise.all(cells.map(async (cell, index) => ({ cell, held: await start(cell, index) })));
    if (service) await stack.kill(service);
    for (const { cell, held } of projects) {
      const answer = sendAtOnce(() => cell.send(held));
      outcomes.set(
        cell,
        answer.then((answered) => cell.expectHolds(held, answered)),
      );
    }
    await Promise.allSettled(outcomes.values());
  }, 900_000); // ten projects at once take long on a busy machine

  test.each(cells)('$moment: $name', async (cell) => {
    expect(outcomes.has(cell)).toBe(true);
    await outcomes.get(cell);
  });

  async function sendAtOnce(send: () => Promise<unknown>): Promise<unknown> {
    try {
      return await send();
    } catch (error) {
      if (!refusal) throw error;
      expect(error).toBeInstanceOf(refusal);
      await stack.untilBack();
      return send();
    }
  }
});
