import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAgent } from '../../agents/own-agents/parse-agent.ts';
import { readAgentFolder } from '../../client/agents/agent-folder.ts';
import { packageRoot } from '../../config/package-root.ts';
import { runCli } from './run.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-agents-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = (...parameters: string[]) => runCli(parameters, { environment: { LONGHAUL_HOME: home }, folder: home });

test('a created agent can be run, and is not overwritten', async () => {
  const path = join(home, 'agents/reviewer/agent.md');
  expect(
    await run(
      'agents',
      'create',
      'reviewer',
      '--prompt',
      'You review code: "strictly".\n\nNever praise.',
      '--model',
      'openai/gpt-5',
    ),
  ).toEqual({
    exitCode: 0,
    stdout: `${path}\n`,
    stderr: 'Edit it, then: `longhaul run reviewer`.\n',
  });
  expect(parseAgent(readFileSync(path, 'utf8'), path)).toEqual({
    name: 'reviewer',
    description: 'You review code: "strictly".',
    model: 'openai/gpt-5',
    tools: undefined,
    limits: {},
    instructions: 'You review code: "strictly".\n\nNever praise.',
  });
  expect(readFileSync(path, 'utf8')).toContain('# limits: { modelCalls: 15');
  expect(await run('agents', 'create', 'reviewer')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`There is an agent at ${path} already.`),
  });
  expect((await run('agents', 'create', '--prompt', 'Plan my week')).stdout).toBe(
    `${join(home, 'agents/plan-my-week/agent.md')}\n`,
  );
  expect((await run('agents', 'create', 'here', '--dir', 'elsewhere')).stdout).toBe(
    `${join(home, 'elsewhere/agent.md')}\n`,
  );
  await run('agents', 'create', '--prompt', 'あなたは旅行を計画する', '--dir', 'travel');
  expect(readAgentFolder(join(home, 'travel'))).toMatchObject({ name: 'agent' });
});

test('removing the "# " of a template setting turns the setting on', async () => {
  const prompt = '# Plan: "my" week, $& and more';
  for (const model of [[], ['--model', 'openai/gpt-5, openai/gpt-5-mini']]) {
    rmSync(join(home, 'agents/template'), { recursive: true, force: true });
    await run('agents', 'create', 'template', '--prompt', prompt, ...model);
    const path = join(home, 'agents/template/agent.md');
    const text = readFileSync(path, 'utf8');
    expect(parseAgent(text, path)).toMatchObject({ description: prompt, model: model[1] });
    const [, ...lines] = text.split('\n');
    expect(lines.map((line) => /^(?:# )?(\w+|---)/.exec(line)?.[1])).toEqual([
      ...['name', 'What', 'description', 'model', 'tools', 'limits', '---', 'Plan', undefined],
    ]);
    const settings = lines.filter((line) => /^# [a-z]/.test(line));
    expect(settings).toHaveLength(model.length ? 2 : 3);
    for (const line of settings) parseAgent(text.replace(line, line.slice(2)), path);
    const all = settings.reduce((changed, line) => changed.replace(line, line.slice(2)), text);
    expect(parseAgent(all, path)).toMatchObject({
      model: model[1] ?? 'anthropic/claude-sonnet-5',
      tools: ['search_memory', 'write_memory', 'create_task', 'list_tasks'],
      limits: { modelCalls: 15, toolCalls: 30, tokens: 100_000 },
      instructions: prompt,
    });
  }
  rmSync(join(home, 'agents/template'), { recursive: true });
});

test('an invalid name creates no folder', async () => {
  expect(await run('agents', 'create', '../Up')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('name: expected kebab-case, such as "code-reviewer", got \'../Up\''),
  });
  expect(existsSync(join(home, 'Up'))).toBe(false);
});

test('an invalid agent is listed with its error, beside the valid ones', async () => {
  mkdirSync(join(home, 'agents/broken'));
  writeFileSync(join(home, 'agents/broken/agent.md'), '---\nname: broken\ncolour: red\n---\nBe.\n');
  const { exitCode, stdout } = await run('agents', 'list');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^broken +.*agent\.md is invalid\. .*expected only known settings, got "colour"/m);
  expect(stdout).toMatch(/^reviewer +You review code/m);
  expect(JSON.parse((await run('agents', 'list', '--json')).stdout)).toHaveLength(3);
});

test('two tools with one name in a folder are refused', async () => {
  const folder = join(home, 'agents/doubled');
  cpSync(join(packageRoot(), 'examples/custom-agent'), folder, { recursive: true });
  cpSync(join(folder, 'tools/travel_time'), join(folder, 'tools/walk_time'), { recursive: true });
  const both = `but ${join(folder, 'tools/travel_time')} and ${join(folder, 'tools/walk_time')} both have "travel_time"`;
  expect(() => readAgentFolder(folder)).toThrow(both);
  const listed: unknown = JSON.parse((await run('agents', 'list', '--json')).stdout);
  expect(listed).toContainEqual({ name: 'doubled', folder, problem: expect.stringContaining(both) });
  rmSync(folder, { recursive: true });
});

test('an agent is listed by a name that `run` accepts', async () => {
  const folder = join(home, 'agents/planner');
  cpSync(join(packageRoot(), 'examples/custom-agent'), folder, { recursive: true });
  expect((await run('agents', 'list')).stdout).toMatch(
    /^planner +Plans days on the way.* \(calls itself travel-planner\) /m,
  );
  const listed: unknown = JSON.parse((await run('agents', 'list', '--json')).stdout);
  expect(listed).toContainEqual(expect.objectContaining({ name: 'planner', ownName: 'travel-planner' }));
  expect(listed).toContainEqual(expect.not.objectContaining({ ownName: 'reviewer' }));
  rmSync(folder, { recursive: true });
});

test('the name of the built-in assistant is refused', async () => {
  expect(await run('agents', 'create', 'default')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('The name "default" is reserved'),
  });
  expect(existsSync(join(home, 'agents/default'))).toBe(false);
});

test.each<[string, RegExp]>([
  ['You are.', /^Expected agent\.md to start with front matter/],
  ['---\nname: a\n---\n', /the instructions: expected a text after the front matter, got none/],
  ['---\nname: [a\n---\nBe.', /^Expected YAML between the lines "---" of agent\.md: /],
  ['---\ndescription: x\n---\nBe.', /name: .*got nothing/],
  ['---\nname: a\nmodel: 7\n---\nBe.', /model: expected "provider\/model", or a list of such names, got 7/],
  ['---\nname: a\nlimits: { tokens: 5 }\n---\nBe.', /limits\.tokens: /],
  ['---\nname: a\ntools: search_memory\n---\nBe.', /tools: expected array, got 'search_memory'/],
])('%j is not an agent', (text, told) => {
  expect(() => parseAgent(text, 'agent.md')).toThrow(told);
});

test('an unknown agent is an error, and the example agents load', async () => {
  expect(await run('run', 'nobody', '-m', 'x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^Expected a folder with agent\.md, or the name of an agent in .*; got "nobody"\. There are: broken, plan-my-week, reviewer\.\n$/,
    ),
  });
  expect(readAgentFolder(join(packageRoot(), 'examples/custom-agent'))).toMatchObject({
    name: 'travel-planner',
    ownTools: [{ name: 'travel_time' }],
    limits: { modelCalls: 8, toolCalls: 12 },
  });
});
