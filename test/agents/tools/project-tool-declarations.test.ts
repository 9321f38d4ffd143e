import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { projectToolDeclarations } from '../../../agents/tools/project-tool-declarations.ts';

const tools = Object.entries(projectToolDeclarations);

test('all project tools together take about 2,100 tokens of each call of a chat', () => {
  const declared = tools.map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters: { ...z.toJSONSchema(parameters, { io: 'input' }), $schema: undefined },
  }));
  expect(JSON.stringify(declared).length / 4).toBeLessThan(2_150);
});

test.each(tools)('%s is described in one sentence', (_, { description }) => {
  expect(description).toMatch(/^[^.]+\.$/);
});
