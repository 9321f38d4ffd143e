import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { step } from '../../../agents/runtime/steps/step.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import { createTestContext } from '../../../testing/agents/create-test-context.ts';

const agent = { key: 'a', instructions: 'You add.' };
const tool = { name: 'add', description: 'Adds.', parameters: z.object({}), run: () => 1 };
/** As from a program that no compiler checked. */
const untyped = (options: unknown) => options as never;

test.each([
  ['nothing', undefined, 'An agent cannot be defined:\n  expected object, got nothing'],
  ['an unknown option', { ...agent, tool: [] }, 'expected only known settings, got "tool"'],
  ['a key with capitals', { ...agent, key: 'Adder' }, 'key: expected kebab-case'],
  [
    'neither instructions nor a function',
    { key: 'a' },
    'instructions: expected a text, unless there is a function `run`',
  ],
  ['misspelled instructions', { key: 'a', instrucions: 'You add.' }, 'only known settings, got "instrucions"'],
  ['a program for a function', { key: 'a', run: () => 1, codeMode: true }, 'codeMode: expected only where there is no'],
  ['both', { ...agent, run: () => 1 }, 'instructions: expected only where there is no function `run`'],
  [
    'empty instructions',
    { ...agent, instructions: ' ' },
    'instructions: expected a text, unless there is a function `run`',
  ],
  ['a model without a name', { ...agent, model: ['a/b', 'openai/'] }, 'model: expected models as "provider/model"'],
  ['a function for a tool', { ...agent, tools: [() => 1] }, 'tools.0: expected what defineTool returns, or one of'],
  ['an unknown tool', { ...agent, tools: ['runCommand'] }, 'or one of run_command, read_file'],
  ['a key for an agent', { ...agent, agents: ['b'] }, 'agents.0: expected what defineAgent or asTool returns'],
  ['an unknown limit', { ...agent, limits: { calls: 1 } }, 'limits: expected only known settings, got "calls"'],
  ['an output that is a list', { ...agent, output: z.array(z.string()) }, 'output: expected a schema of an object'],
  ['an output with a date', { ...agent, output: z.object({ on: z.date() }) }, 'output: Expected a schema that JSON'],
  ['an output that is no schema', { ...agent, output: { type: 'object' } }, 'output: expected a schema of zod 4'],
  ['a function that is none', { key: 'a', run: 'work' }, "run: expected a function, got 'work'"],
])('an agent of %s is refused', (_what, options, complaint) => {
  expect(() => defineAgent(untyped(options))).toThrow(complaint);
});

test.each([
  ['nothing', undefined, 'expected object, got nothing'],
  ['an unknown option', { ...tool, retry: 2 }, 'expected only known settings, got "retry"'],
  ['a name with a blank', { ...tool, name: 'add up' }, 'name: expected at most 64 letters'],
  ['an empty description', { ...tool, description: '' }, 'description: expected a text'],
  ['JSON Schema', { ...tool, parameters: { type: 'object' } }, 'parameters: expected a schema of zod 4'],
  ['parameters that are a text', { ...tool, parameters: z.string() }, 'parameters: expected a schema of an object'],
  ['a wrong timeout', { ...tool, timeout: 'soon' }, 'timeout: expected milliseconds, or a text such as "2s", got'],
  ['no time', { ...tool, timeout: 0 }, 'timeout: expected more than 0 ms, got 0'],
  ['neither a function nor a client', { ...tool, run: undefined }, 'expected either a function `run`, or'],
  ['retries in the sandbox', { ...tool, sandbox: true, retries: 2 }, '`retries` are only for tools that run in'],
  ['retries on a client', { ...tool, run: undefined, on: 'client', retries: 2 }, '`retries` are only for tools that'],
])('a tool of %s is refused', (_what, options, complaint) => {
  expect(() => defineTool(untyped(options))).toThrow(complaint);
});

test.each([
  ['an empty name', ' ', () => 1, {}, 'name: expected a name'],
  ['no function', 'fetch', undefined, {}, 'run: expected a function, got nothing'],
  ['an unknown option', 'fetch', () => 1, { delay: 1 }, 'expected only known settings, got "delay"'],
  ['a fraction of a retry', 'fetch', () => 1, { retries: 1.5 }, 'retries: '],
])('a step of %s is refused', (_what, name, run, options, complaint) => {
  expect(() => step(name, untyped(run), untyped(options))).toThrow(complaint);
});

test.each([
  [{ names: 'a' }, 'expected only known settings, got "names"'],
  [{ context: 'everything' }, 'context: '],
])('a tool that calls an agent is refused with %j', (options, complaint) => {
  expect(() => defineAgent(agent).asTool(untyped(options))).toThrow(complaint);
});

test.each([
  [{ maxTokens: 5 }, 'The model cannot be asked:\n  expected only known settings, got "maxTokens"'],
  [{ output: z.string() }, 'output: expected a schema of an object'],
])('a model is not asked with %j', async (options, complaint) => {
  await expect(createTestContext().generate('Hello', untyped(options))).rejects.toThrow(complaint);
});
