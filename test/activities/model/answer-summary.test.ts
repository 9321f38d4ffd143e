import { expect, test } from '@jest/globals';
import { remarkOnLimits } from '../../../activities/model/answer-summary.ts';

/** The turns after which a run is told of its limits, and what it is told. */
function toldIn(maxTurns: number): Record<number, string> {
  const turns = Array.from({ length: maxTurns }, (_, index) => index + 1);
  return Object.fromEntries(
    turns.flatMap((turn) => {
      const remark = remarkOnLimits({ turn, maxTurns }, []);
      return remark ? [[turn, remark]] : [];
    }),
  );
}

test('an agent is told when few turns are left', () => {
  expect(toldIn(60)).toEqual({
    48: '[12 of your 60 turns are left.]',
    54: '[6 of your 60 turns are left.]',
    59: '[Your next turn is the last: end your run with it.]',
  });
  expect(Object.keys(toldIn(12))).toEqual(['9', '10', '11']);
  expect(Object.keys(toldIn(1))).toEqual([]);
});

test('an agent is told when its budget is nearly spent', () => {
  expect(remarkOnLimits({ turn: 3, maxTurns: 60 }, ["$1.70 of the session's budget of $2.00 are used"])).toBe(
    "[$1.70 of the session's budget of $2.00 are used.]",
  );
});
