import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { declareAgent } from '../../../../agents/runtime/definition/declare-agent.ts';
import { defineAgent } from '../../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../../agents/runtime/tools/define-tool.ts';

const weather = defineAgent({ key: 'weather-man', description: 'Knows the weather.', instructions: 'You know it.' });

test('an agent that is listed becomes a tool by its key, and is hosted with the one that lists it', () => {
  const guide = defineAgent({
    key: 'guide',
    instructions: 'You guide.',
    agents: [weather, weather.asTool({ handOff: true })],
  });
  expect(guide.tools.map(({ name, description }) => `${name}: ${description}`)).toEqual([
    'ask_weather_man: Asks the agent weather-man: Knows the weather.',
    'hand_off_to_weather_man: Hands the task over to the agent weather-man: Knows the weather.',
  ]);
  expect(guide.agents.map(({ key }) => key)).toEqual(['weather-man', 'weather-man']);
});

test('two agents whose tools would have one name are refused', () => {
  const agents = [weather, weather];
  expect(() => defineAgent({ key: 'guide', instructions: 'You guide.', agents })).toThrow(
    'There is a tool "ask_weather_man" already',
  );
});

test('calls of agents may run side by side, a hand-off may not', () => {
  const guide = defineAgent({
    key: 'guide',
    instructions: 'You guide.',
    agents: [weather, weather.asTool({ handOff: true })],
  });
  expect(guide.tools.map(({ hasSideEffects }) => hasSideEffects)).toEqual([false, true]);
});

test("Longhaul's own tools are taken by name, with what they change", () => {
  const { tools } = declareAgent(
    defineAgent({ key: 'worker', instructions: 'You work.', tools: ['run_command', 'read_file'] }),
  ).declaration;
  expect(tools.map(({ name, on, hasSideEffects }) => [name, on, hasSideEffects])).toEqual([
    ['run_command', 'sandbox', true],
    ['read_file', 'sandbox', false],
  ]);
});

test('the source of a function leaves its process only if the function is for the sandbox', () => {
  const parameters = z.object({});
  const here = defineTool({ name: 'here', description: 'Here.', parameters, run: () => 1 });
  const there = defineTool({ name: 'there', description: 'There.', parameters, sandbox: true, run: () => 2 });
  const { tools } = declareAgent(
    defineAgent({ key: 'worker', instructions: 'You work.', tools: [here, there] }),
  ).declaration;
  expect(tools.map(({ source }) => source)).toEqual([undefined, String(there.run)]);
});
