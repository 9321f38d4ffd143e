import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGenerateTool } from '../../../../activities/tools/made-tools/generate-tool.ts';
import { createMadeTools } from '../../../../activities/tools/made-tools/made-tools.ts';
import type { ToolContext, ToolResult } from '../../../../activities/tools/tool.ts';
import { withoutFences } from '../../../../agents/fence.ts';
import { readConfiguration } from '../../../../config/configuration.ts';
import { createChat } from '../../../../db/chats/chats.ts';
import { addToOwner } from '../../../../db/events/add-to-owner.ts';
import {
  addMadeTool,
  listMadeTools,
  readVersions,
  removeMadeTool,
  resolveMadeTool,
  setMadeToolEnabled,
} from '../../../../db/made-tools/made-tools.ts';
import { noteUse, readEnabledTools } from '../../../../db/made-tools/offered-tools.ts';
import { runs } from '../../../../db/schema/runs.ts';
import { addUp, slugify } from '../../../sandbox/made-tools/sample-tools.ts';
import { createTestSandboxes } from '../../../sandbox/test-sandboxes.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/test-database.ts';
import { inChat } from '../../../support/work/in-chat.ts';

const host = createTestSandboxes();
let postgres: TestDatabase;
let generate: ReturnType<typeof createGenerateTool>['generate_tool'];
let made: ReturnType<typeof createMadeTools>;

beforeAll(async () => {
  postgres = await createTestDatabase();
  const { database } = postgres;
  for (const name of ['a', 'b']) {
    await createChat(database, { id: `chat-${name}`, name });
    const chatId = `chat-${name}`;
    await database.insert(runs).values({ id: `${chatId}-r1`, chatId, role: 'chat', model: 'x', status: 'RUNNING' });
  }
  const { image: defaultImage } = host.spec();
  const { agents } = readConfiguration({});
  const dependencies = { database, sandboxes: host.sandboxes, defaultImage, agents };
  generate = createGenerateTool(dependencies).generate_tool;
  made = createMadeTools(dependencies);
});
afterAll(async () => {
  await host.closeAll();
  await postgres?.stop();
});

const offeredIds = async () => (await readEnabledTools(postgres.database)).map(({ id }) => id);

/** Stores a result as `runTool` does. */
async function stored({ run }: ToolContext, result: ToolResult): Promise<ToolResult> {
  await addToOwner(postgres.database, run.owner, result.alsoStore ?? { events: [] });
  return result;
}

async function callOf(name: string, given: unknown, context = inChat('a')): Promise<ToolResult> {
  const tool = (await made.givenTo(context.run.runId, [])).made.find((one) => one.name === name);
  if (!tool) throw new Error(`Expected that ${context.run.runId} is offered ${name}.`);
  const { text, failed } = await stored(
    context,
    await made.call(tool, { id: 'call', name, arguments: JSON.stringify(given) }, context),
  );
  return { text: withoutFences(text), failed: failed ?? false };
}

test('a made tool is available to its run, once after a retry', async () => {
  const context = inChat('a');
  const first = await generate(slugify, context);
  expect(first).toMatchObject({
    text: expect.stringContaining('its tests pass, and you can call slugify'),
    display: 'slugify, version 1',
  });
  expect((await generate(slugify, context)).text).toBe(first.text);
  await stored(context, first);
  expect(await readVersions(postgres.database, 'slugify')).toHaveLength(1);
  expect(await callOf('slugify', { title: 'A B' })).toEqual({ text: 'a-b', failed: false });
  // Other runs get it only with their next message.
  expect((await made.givenTo(inChat('b').run.runId, [])).made).toEqual([]);
  expect(await offeredIds()).toEqual([context.id]);
});

test('invalid arguments never reach the code', async () => {
  expect(await callOf('slugify', { title: 7, more: 1 })).toEqual({
    failed: true,
    text: 'The arguments of slugify are invalid. title: Invalid input: expected string, received number; arguments: Unrecognized key: "more"',
  });
  expect(await callOf('slugify', { title: 'A', limit: 0 })).toMatchObject({ failed: true });
});

test('a taken name is refused; a new version replaces the old one', async () => {
  expect(await generate({ ...slugify, description: 'Another one.' }, inChat('b'))).toMatchObject({
    failed: true,
    text: expect.stringContaining('There is a made tool "slugify" already.'),
  });
  expect(await generate({ ...addUp, new_version: true }, inChat('b'))).toMatchObject({ failed: true });
  const context = inChat('b');
  const code = slugify.code.replace('"-"', '"_"');
  const tests = slugify.tests.replace('hello-world', 'hello_world');
  await stored(context, await generate({ ...slugify, code, tests, new_version: true }, context));
  expect(await resolveMadeTool(postgres.database, 'slugify')).toMatchObject({ version: 2, author: 'chat-b-r1', code });
  expect(await callOf('slugify', { title: 'A B' }, inChat('b'))).toMatchObject({ text: 'a_b' });
  // A run that began earlier keeps the version it was offered.
  expect(await callOf('slugify', { title: 'A B' })).toMatchObject({ text: 'a-b' });
});

test('a refusal shows the whole line and what came', async () => {
  const renamed = (text: string) => text.replaceAll('slugify', 'refused');
  const code = renamed(slugify.code.replace('import re', 'import os'));
  const refused = await generate({ ...slugify, name: 'refused', code, tests: renamed(slugify.tests) }, inChat('a'));
  expect(refused).toMatchObject({ failed: true, text: expect.stringMatching(/^The tool "refused" was refused/) });
  expect(refused.display).toMatch(/^refused: code, line 1: ….{40,60} only, got os( \(and \d+ more\))?$/);
});

test.each([
  ['of a tool that ships', { name: 'run_command' }, '"run_command" is a built-in tool'],
  ['that is a word of a language', { name: 'class' }, '"class" is a reserved word'],
  ['with a path in it', { name: '../x' }, 'expected 1 to 48 of a-z'],
])('a name %s is refused', async (_, changes, told) => {
  expect(await generate({ ...slugify, ...changes }, inChat('a'))).toMatchObject({
    failed: true,
    text: expect.stringContaining(told),
  });
});

test('uses and failures are counted without conversation content, and a removed tool cannot be called', async () => {
  const { database } = postgres;
  const code = 'export function add_up({ numbers }) {\n  return numbers.map((one) => one.toFixed(1)).join();\n}\n';
  const tests = addUp.tests.replace('.sum, 3', ', "1.0,2.0"');
  const context = inChat('a');
  await stored(
    context,
    await generate({ ...addUp, code, tests, parameters: { type: 'object', properties: { numbers: {} } } }, context),
  );
  expect(await callOf('add_up', { numbers: 'none' })).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^TypeError: numbers\.map is not a function \(line 2\)$/),
  });
  expect(await callOf('add_up', { numbers: [1] })).toEqual({ text: '1.0', failed: false });
  const listed = await listMadeTools(database);
  expect(
    listed.map(({ name, version, uses, failures, lastError }) => [name, version, uses, failures, lastError]),
  ).toEqual([
    ['add_up', 1, 2, 1, 'TypeError: numbers.map is not a function (line 2)'],
    ['slugify', 2, 3, 0, null],
  ]);
  // The error of a call in a conversation without memory stays in its transcript.
  const { run, ...rest } = inChat('a');
  const quiet = { ...rest, run: { ...run, memory: false as const } };
  expect(await callOf('add_up', { numbers: ['a secret'] }, quiet)).toMatchObject({ failed: true });
  expect(await resolveMadeTool(database, 'add_up')).toMatchObject({
    ...{ uses: 3, failures: 2, lastError: 'TypeError: numbers.map is not a function (line 2)' },
  });
  await setMadeToolEnabled(database, 'add_up', false);
  expect(await callOf('add_up', { numbers: [1] })).toMatchObject({
    failed: true,
    text: expect.stringContaining('disabled or removed the made tool'),
  });
  // What a person switched off, no agent can switch on again.
  expect(await generate({ ...addUp, new_version: true }, inChat('b'))).toMatchObject({
    failed: true,
    text: expect.stringContaining('disabled the made tool "add_up"'),
  });
  expect(await resolveMadeTool(database, 'add_up')).toMatchObject({ version: 1, enabled: false });
  await addMadeTool(database, { id: 'by-hand', tool: addUp, author: 'person', newVersion: true });
  expect(await resolveMadeTool(database, 'add_up')).toMatchObject({ version: 2, enabled: true });
  await removeMadeTool(database, 'add_up');
  expect(await listMadeTools(database)).toHaveLength(1);
  await expect(resolveMadeTool(database, 'add_up')).rejects.toThrow(
    'No made tool is called "add_up". There are: slugify.',
  );
});

test('the number of offered tools is limited', async () => {
  const { database } = postgres;
  for (let number = 0; number < 70; number += 1) {
    const tool = { ...slugify, name: `many_${number}` };
    await addMadeTool(database, { id: tool.name, tool, author: 'person', newVersion: false });
  }
  const offered = await offeredIds();
  expect(offered).toHaveLength(64);
  expect(offered).not.toContain('many_0');
  await noteUse(database, 'many_0', { failed: false });
  expect(await offeredIds()).toContain('many_0');
});

test('of two runs that make a tool of one name at once, one gets it', async () => {
  const tool = {
    ...slugify,
    name: 'both',
    code: slugify.code.replace('slugify', 'both'),
    tests: slugify.tests.replaceAll('slugify', 'both'),
  };
  const results = await Promise.all([generate(tool, inChat('a')), generate(tool, inChat('b'))]);
  expect(results.map(({ failed = false }) => failed).sort()).toEqual([false, true]);
});
