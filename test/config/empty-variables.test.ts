import { expect, test } from '@jest/globals';
import { environmentVariables, readConfiguration } from '../../config/configuration.ts';

test('a variable that is there and empty, as `export NAME=` and container files leave it, would be refused or count', () => {
  for (const empty of ['', ' '])
    expect(readConfiguration(Object.fromEntries(environmentVariables.map((name) => [name, empty])))).toEqual(
      readConfiguration({}),
    );
});

test.each([
  ['LONGHAUL_MODEL_HEADERS', 'expected one of "on"|"off", got "maybe"'],
  ['LONGHAUL_OPENAI_API', 'expected one of "chat"|"responses", got "maybe"'],
  ['LONGHAUL_REASONING_EFFORT', 'expected one of "low"|"medium"|"high", got "maybe"'],
])('%s would be taken for what it is not', (name, complaint) => {
  expect(() => readConfiguration({ [name]: 'maybe' })).toThrow(complaint);
});
