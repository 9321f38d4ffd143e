import { expect, test } from '@jest/globals';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { runLimits, turnLimit } from '../../agents/run-limits.ts';

const file = { maxTurns: { code: 80, planner: 5 }, stuck: { sameCalls: 5, idleTurns: 20 } };

test("a project's turn limit applies to its sessions and takes precedence over the file", () => {
  expect(turnLimit('code', { maxTurns: 7 }, file.maxTurns)).toEqual({ value: 7, source: 'project' });
  expect(turnLimit('planner', { maxTurns: 7 }, file.maxTurns)).toEqual({ value: 5, source: 'file' });
  expect(turnLimit('code', {}, file.maxTurns)).toEqual({ value: 80, source: 'file' });
  expect(turnLimit('testing', {}, {})).toEqual({ value: agentDefinitions.testing.maxTurns, source: 'default' });
});

test("a delegate gets half of its chat's limits", () => {
  expect(turnLimit('research', {}, {})).toEqual({ value: 7, source: 'default' });
  expect(turnLimit('research', {}, { chat: 40 })).toEqual({ value: 20, source: 'file' });
  // One call alone could not say what its tools found.
  expect(turnLimit('research', {}, { chat: 3 })).toEqual({ value: 2, source: 'file' });
  expect(turnLimit('research', {}, { chat: 40, research: 5 })).toEqual({ value: 5, source: 'file' });
});

test('thresholds of project, file and run are merged one by one', () => {
  expect(runLimits({ role: 'code' }, { stuck: { sameCalls: 2 } }, file)).toEqual({
    maxTurns: 80,
    stuck: { sameCalls: 2, idleTurns: 20 },
  });
  const own = { role: 'code' as const, maxTurns: 1_005, stuck: { idleTurns: 1_006 } };
  expect(runLimits(own, { maxTurns: 7 }, file)).toEqual({ maxTurns: 1_005, stuck: { sameCalls: 5, idleTurns: 1_006 } });
});
