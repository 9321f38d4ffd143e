import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  clearAgents,
  getAgent,
  listAgents,
  registerAgent,
  unregisterAgent,
} from '../../../../agents/runtime/definition/agent-registry.ts';
import { declareAgent } from '../../../../agents/runtime/definition/declare-agent.ts';
import { defineAgent } from '../../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../../agents/runtime/tools/define-tool.ts';

afterEach(clearAgents);

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number().optional() }),
  run: ({ a, b = 0 }) => a + b,
});
const agent = defineAgent({ key: 'adder', instructions: 'You add.', tools: [add] });

test('two tools of one name are refused', () => {
  expect(() => defineAgent({ key: 'a', instructions: 'x', tools: [add, add] })).toThrow('a tool "add" already');
});

test('agents are registered once, found by their key, and taken away', () => {
  registerAgent(agent);
  expect(() => registerAgent(agent)).toThrow('an agent "adder" already');
  expect(getAgent('adder')).toBe(agent);
  expect(() => getAgent('nobody')).toThrow('(adder), got "nobody"');
  expect(unregisterAgent('adder')).toBe(true);
  expect(listAgents()).toEqual([]);
});

test('the version changes with the instructions and with the code of a tool, and with nothing else', () => {
  const { version } = declareAgent(agent);
  expect(declareAgent(defineAgent({ key: 'adder', instructions: 'You add.', tools: [add] })).version).toBe(version);
  const changed = { ...add, run: () => 0 };
  expect(declareAgent(defineAgent({ key: 'adder', instructions: 'You add.', tools: [changed] })).version).not.toBe(
    version,
  );
  expect(declareAgent(defineAgent({ key: 'adder', instructions: 'You add!', tools: [add] })).version).not.toBe(version);
});

test('a declaration has the tools as JSON Schema', () => {
  expect(declareAgent(agent).declaration.tools).toMatchObject([
    { name: 'add', parameters: { type: 'object', required: ['a'] }, hasSideEffects: false },
  ]);
});
