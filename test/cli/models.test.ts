import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RoleModels } from '../../agents/settings/check-models.ts';
import { withEnvFile } from '../../config/environment.ts';
import { type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { runCli } from './run.ts';

let home: string;
let model: ScriptedModel;
let environment: Record<string, string>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  model = await startScriptedModel({ script: { entries: [{ role: 'check', turns: [{ text: 'ready' }] }] } });
  writeFileSync(
    join(home, 'longhaul.config.ts'),
    `import { defineConfig } from 'longhaul/config';
import { createOpenAiChat } from 'longhaul/models';
export default defineConfig({
  providers: [createOpenAiChat({ name: 'mine', baseUrl: '${model.url}', headers: true })],
  models: { default: 'mine/one', code: ['mine/two', 'ollama/gone'] },
  modelSettings: { code: { maxOutputTokens: 9000 } },
  maxTurns: { planner: 5 },
});`,
  );
  environment = {
    LONGHAUL_HOME: home,
    LONGHAUL_MODEL_TESTING: 'mine/three',
    LONGHAUL_REASONING_EFFORT: 'high',
    OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1', // nothing listens there
  };
});
afterAll(async () => {
  await model?.close();
  rmSync(home, { recursive: true });
});

test('each setting names its source, and a model that does not answer is reported', async () => {
  const { exitCode, stdout } = await runCli(['models'], { environment, folder: home });
  expect(stdout).toContain(`Settings of ${join(home, 'longhaul.config.ts')}`);
  const line = (start: string) =>
    stdout
      .split('\n')
      .find((one) => one.startsWith(start))
      ?.replace(/ {2,}/g, '  ');
  expect(line('planner')).toMatch(
    /^planner {2}mine\/one {2}\(file\) effort high \(environment\), 5 turns \(file\) {2}answers after/,
  );
  expect(line('code')).toMatch(
    /^code {2}mine\/two {2}\(file\) effort high \(environment\), at most 9000 tokens \(file\), 60 turns \(default\) {2}answers/,
  );
  expect(stdout).toMatch(/^ +ollama\/gone +does not answer: Could not reach ollama/m);
  expect(line('testing')).toMatch(/^testing {2}mine\/three {2}\(environment\)/);
  expect(line('summarizer')).toMatch(/^summarizer {2}mine\/one {2}\(file\) effort high \(environment\) {2}answers/);
  expect(line('embedding')).toMatch(
    /^embedding {2}local {2}\(default\) {2}does not answer: .*'longhaul setup' downloads it/,
  );
  expect(exitCode).toBe(1);
});

test('two models of one local server are asked one after the other', async () => {
  let [now, most] = [0, 0];
  const server = createServer(async (_, response) => {
    now += 1;
    most = Math.max(most, now);
    await sleep(100);
    now -= 1;
    const chunk = { choices: [{ delta: { content: 'ready' }, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const { stdout } = await runCli(['models'], {
    environment: {
      LONGHAUL_HOME: folder,
      LONGHAUL_MODEL: 'ollama/one, ollama/two',
      OLLAMA_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    },
    folder,
  });
  expect(stdout).toMatch(/^ +ollama\/two +answers/m);
  expect(most).toBe(1);
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('a silent model is reported with the waiting time', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const waited: number[] = [];
  const within = AbortSignal.timeout.bind(AbortSignal);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((most) => {
    waited.push(most);
    return within(300);
  });
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const { stdout } = await runCli(['models'], {
    environment: {
      LONGHAUL_HOME: folder,
      LONGHAUL_MODEL: 'ollama/one',
      OLLAMA_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    },
    folder,
  });
  jest.restoreAllMocks();
  expect(stdout).toMatch(/^code +ollama\/one .*does not answer: no answer within 120 s/m);
  expect(waited).toContain(120_000);
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('a role without a model is reported, and no unset provider is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const environment = { LONGHAUL_HOME: folder, LITELLM_BASE_URL: 'http://127.0.0.1:9/v1' };
  const { exitCode, stdout } = await runCli(['models', '--no-check'], { environment, folder });
  expect(stdout).toMatch(/^code +none +\(default\).* does not answer: No model is set\. Set LONGHAUL_MODEL/m);
  expect(exitCode).toBe(1);
  rmSync(folder, { recursive: true });
});

test('an embedding model that does not answer is reported', async () => {
  const embeddings = createServer((request, response) => {
    response.writeHead(request.url === '/v1/embeddings' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ index: 0, embedding: [0.6, 0.8] }] }));
  });
  await new Promise<void>((resolve) => embeddings.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(embeddings.address() as AddressInfo).port}/v1`;
  const told = async (url: string) => {
    const settings = { ...environment, LONGHAUL_MODEL_EMBEDDING: 'vllm/vectors', VLLM_BASE_URL: url };
    const { stdout } = await runCli(['models', '--json'], { environment: settings, folder: home });
    return (JSON.parse(stdout) as RoleModels[]).find(({ role }) => role === 'embedding')?.models;
  };
  expect(await told(address)).toEqual([{ name: 'vllm/vectors', answers: true, durationMs: expect.any(Number) }]);
  expect(await told(address.replace('/v1', '/none'))).toMatchObject([
    { name: 'vllm/vectors', answers: false, problem: expect.stringContaining('does not answer') },
  ]);
  embeddings.close();
  embeddings.closeAllConnections();
});

test('a settings file in the current folder is reported as ignored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  writeFileSync(join(folder, 'longhaul.config.ts'), "throw new Error('run');");
  const { stderr } = await runCli(['models', '--no-check'], { environment, folder });
  expect(stderr).toContain(`${join(folder, 'longhaul.config.ts')} is ignored`);
  rmSync(folder, { recursive: true });
});

test('a broken settings file is an input error, and only for commands that need it', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  writeFileSync(join(broken, 'longhaul.config.json'), '{ "models": { "code": 7 } }');
  const run = (command: string) => runCli([command], { environment: { LONGHAUL_HOME: broken }, folder: broken });
  expect(await run('models')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('models.code: expected') });
  expect(await run('up')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('models.code: expected') });
  expect(await run('ps')).toMatchObject({ exitCode: 0 });
  rmSync(broken, { recursive: true });
});

test('a variable of `.env` is reported as set there', async () => {
  const other = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const set = 'LONGHAUL_MODEL=openai/one\nLONGHAUL_REASONING_EFFORT=low\nOPENAI_API_KEY=x\n';
  writeFileSync(join(other, '.env'), set);
  const environment = withEnvFile({ LONGHAUL_HOME: other, LONGHAUL_MODEL_CHAT: 'openai/two' });
  const { stdout } = await runCli(['models', '--no-check'], { environment, folder: other });
  expect(stdout).toMatch(/^planner +openai\/one +\(\.env\) effort low \(\.env\)/m);
  expect(stdout).toMatch(/^chat +openai\/two +\(environment\) effort low \(\.env\)/m);
  rmSync(other, { recursive: true });
});

test('without any model the scripted one is reported, with what it can answer', async () => {
  const other = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  const run = (command: string[], environment: Record<string, string> = {}) =>
    runCli(command, {
      environment: { LONGHAUL_HOME: other, LONGHAUL_MODEL_EMBEDDING: 'none', ...environment },
      folder: other,
    });
  const plain = await run(['models']);
  expect(plain).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('can only build the example project') });
  expect(plain.stdout).toMatch(/^code +scripted +\(default\)/m);
  const { stdout } = await run(['models'], { LONGHAUL_SCRIPT: '/my/script' });
  expect(stdout).toMatch(/the scripted model, which answers from \/my\/script\./);
  const named = await run(['models', '--no-check'], { LONGHAUL_MODEL_CODE: 'openai/gpt-5' });
  expect(named.exitCode).toBe(1);
  expect(named.stdout).toMatch(/^code +openai\/gpt-5 +\(environment\).* does not answer: no key or address/m);
  expect(JSON.parse((await run(['models', '--json'])).stdout)).toContainEqual(
    expect.objectContaining({ role: 'code', models: [{ name: 'scripted' }], source: 'default' }),
  );
  const settings = await run(['config']);
  expect(settings.stdout).toMatch(/^models\.code +default +scripted$/m);
  expect(settings.stderr).toMatch(/^No key or address of a provider is set: every role uses the scripted model/);
  rmSync(other, { recursive: true });
});
