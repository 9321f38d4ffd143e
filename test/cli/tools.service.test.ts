import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addUp, slugify } from '../sandbox/made-tools/sample-tools.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import { runCli } from './run.ts';

let stack: ServiceStack;
let folder: string;

beforeAll(async () => {
  stack = await startServiceStack({
    containers: true,
    script: { entries: [{ role: 'chat', turns: [{ text: 'Unused.' }] }] },
    settings: "export default { tools: { imports: { python: ['os', 're'] } } };",
  });
  folder = mkdtempSync(join(tmpdir(), 'longhaul-tools-'));
  for (const tool of [slugify, addUp]) writeFileSync(join(folder, `${tool.name}.json`), JSON.stringify(tool));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...parameters: string[]) => runCli(['tools', ...parameters], { environment: stack.environment, folder });
const renamed = (text: string) => text.replaceAll('slugify', 'z_slug');
const done = (stdout: unknown) => ({ exitCode: 0, stdout, stderr: '' });

test('a tool can be created, listed, inspected and tested', async () => {
  expect((await run('list')).stdout).toContain('There are no made tools yet.');
  expect(await run('create', '--file', 'slugify.json')).toEqual(done('Created slugify, version 1.\n'));
  expect(await run('create', '--file', 'slugify.json')).toEqual(done('slugify already exists unchanged.\n'));
  expect((await run('list')).stdout).toMatch(/^slugify +v1 +python +0 uses +Makes a slug of a title\.\n$/);
  expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject([
    { name: 'slugify', version: 1, enabled: true },
  ]);
  const { stdout } = await run('inspect', 'slugify');
  for (const part of [slugify.code.trim(), slugify.tests.trim(), 'by person', '"minimum": 1'])
    expect(stdout).toContain(part);
  expect(await run('test', 'slugify')).toEqual(done('The tests of slugify pass.\n'));
});

test('an exported tool imports unchanged, and can be changed', async () => {
  await run('create', '--file', 'add_up.json');
  expect(await run('export', '-o', 'out')).toEqual(
    done(`${join(folder, 'out/add_up')}\n${join(folder, 'out/slugify')}\n`),
  );
  const before = JSON.parse((await run('inspect', 'add_up', '--json')).stdout);
  expect(await run('import', 'out')).toEqual(
    done('add_up already exists unchanged.\nslugify already exists unchanged.\n'),
  );
  await run('remove', 'add_up');
  expect(await run('import', 'out/add_up')).toEqual(done('Created add_up, version 2.\n'));
  const {
    id: _,
    version: __,
    createdAt: ___,
    versions: ____,
    ...after
  } = JSON.parse((await run('inspect', 'add_up', '--json')).stdout);
  expect(before).toMatchObject(after);

  const code = join(folder, 'out/slugify/tool.py');
  writeFileSync(code, readFileSync(code, 'utf8').replace('limit=40', 'limit=50'));
  expect(await run('validate', 'out/slugify')).toEqual(done('slugify is valid.\n'));
  // The tool whose name is taken comes neither first nor last in the folder.
  mkdirSync(join(folder, 'out/z_slug'));
  for (const file of readdirSync(join(folder, 'out/slugify')))
    writeFileSync(join(folder, 'out/z_slug', file), renamed(readFileSync(join(folder, 'out/slugify', file), 'utf8')));
  const told = 'There is a made tool "slugify" already. Choose another name, or replace it with --new-version.\n';
  expect(await run('import', 'out')).toEqual({
    ...{ exitCode: 2, stdout: 'add_up already exists unchanged.\nCreated z_slug, version 1.\n', stderr: told },
  });
  mkdirSync(join(folder, 'out/broken'));
  writeFileSync(join(folder, 'out/broken/tool.json'), '{');
  expect(await run('import', 'out', '--new-version')).toEqual({
    exitCode: 2,
    stdout: 'add_up already exists unchanged.\nCreated slugify, version 2.\nz_slug already exists unchanged.\n',
    stderr: expect.stringMatching(/^Expected JSON in .*out\/broken\/tool\.json: .*\n$/),
  });
});

test('a disabled tool stays disabled until it is enabled', async () => {
  expect(await run('disable', 'slugify')).toEqual(
    done('slugify is disabled; running answers can no longer call it either.\n'),
  );
  expect((await run('list')).stdout).toMatch(/slugify +v2 +python +disabled/);
  expect(await run('enable', 'slugify')).toMatchObject({ exitCode: 0 });
  expect((await run('list')).stdout).not.toContain('disabled');
});

test.each<[string, string[], RegExp]>([
  ['an unknown tool', ['inspect', 'nope'], /^No made tool is called "nope"\. There are: add_up, slugify, z_slug\.\n$/],
  [
    'a file that is not there',
    ['validate', 'nope'],
    /^Expected a folder with tool\.json, or a JSON file, at .*nope; found none\.\n$/,
  ],
  ['a folder of no tool', ['import', '.'], /^Expected .* to have tool\.json, or folders that do; found /],
])('%s', async (_, parameters, message) => {
  const given = parameters[0] === 'import' ? [parameters[0], join(folder, 'none', '..')] : parameters;
  expect(await run(...given)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
});

test('a file that is not a tool and a refused tool say why', async () => {
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...slugify, language: 'perl', more: 1 }));
  expect((await run('validate', 'wrong.json')).stderr).toMatch(
    /wrong\.json is not a tool:\n {2}language: .*got 'perl'\n {2}expected only known settings, got "more"\n$/,
  );
  const importing = (name: string) => ({ ...slugify, code: slugify.code.replace('import re', `import ${name}`) });
  writeFileSync(join(folder, 'bad.json'), JSON.stringify(importing('sys')));
  expect(await run('validate', 'bad.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^The tool "slugify" was refused\..*:\n- code, line 1: expected imports of .* only, got sys\n$/,
    ),
  });
  writeFileSync(join(folder, 'failing.json'), JSON.stringify(importing('os')));
  expect((await run('validate', 'failing.json')).stderr).toContain('- tests: they fail');
});
