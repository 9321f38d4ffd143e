import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withEnvFile } from '../../config/environment.ts';
import { runCli } from './run.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-init-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = (parameters: string[], environment: Record<string, string> = {}) =>
  runCli(parameters, { environment: { LONGHAUL_HOME: home, ...environment }, folder: home });

test('init writes readable files and keeps existing ones', async () => {
  expect((await run(['init'])).stdout).toBe(`Wrote ${home}/.env\nWrote ${home}/longhaul.config.ts\n`);
  expect(statSync(join(home, '.env')).mode & 0o777).toBe(0o600);
  const { exitCode, stdout } = await run(['config', '--json']);
  expect(exitCode).toBe(0);
  const set = (JSON.parse(stdout) as Array<{ name: string; source: string }>).filter(
    ({ source }) => source !== 'default',
  );
  expect(set.map(({ name }) => name)).toEqual(['LONGHAUL_HOME']);
  // Uncommented, every line of the templates is a valid setting.
  const uncommented = readFileSync(join(home, 'longhaul.config.ts'), 'utf8').replace(/^ {2}\/\/ (?=\w+: )/gm, '  ');
  writeFileSync(join(home, 'longhaul.config.ts'), uncommented);
  writeFileSync(join(home, '.env'), readFileSync(join(home, '.env'), 'utf8').replace(/^# (?=[A-Z_]+=)/gm, ''));
  expect(await run(['config'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^chat\.tokens +file +100000$/m),
  });
  expect((await run(['init'])).stdout).toBe(
    `${home}/.env already exists and was not changed.\n${home}/longhaul.config.ts already exists and was not changed.\n`,
  );
  expect(readFileSync(join(home, 'longhaul.config.ts'), 'utf8')).toBe(uncommented);
});

test('secrets are masked, and each setting names its source', async () => {
  writeFileSync(
    join(home, '.env'),
    'OPENAI_API_KEY=sk-from-the-file-1234\nDATABASE_URL=postgres://me:secret-word@127.0.0.1:1/x\nLONGHAUL_MODEL=openai/one\n',
  );
  writeFileSync(
    join(home, 'longhaul.config.ts'),
    "export default { models: { code: 'openai/two' }, maxTurns: { chat: 5 }, tools: { imports: { python: ['re'] } } };",
  );
  const environment = {
    LONGHAUL_MODEL: 'openai/three',
    ANTHROPIC_API_KEY: 'short',
    OPENAI_BASE_URL: 'https://u:pass-word@host/v1?api_key=query-word',
  };
  const { stdout } = await run(['config'], environment);
  for (const secret of ['sk-from', 'secret-word', 'short', 'pass-word', 'query-word'])
    expect(stdout).not.toContain(secret);
  const line = (name: string) =>
    stdout
      .split('\n')
      .find((one) => one.startsWith(`${name} `))
      ?.replace(/ {2,}/g, ' ');
  expect(line('OPENAI_API_KEY')).toBe('OPENAI_API_KEY .env ****1234');
  expect(line('ANTHROPIC_API_KEY')).toBe('ANTHROPIC_API_KEY environment ****');
  expect(line('DATABASE_URL')).toBe('DATABASE_URL .env postgres://me:****@127.0.0.1:1/x');
  expect(line('LONGHAUL_MODEL')).toBe('LONGHAUL_MODEL environment openai/three');
  expect(line('models.planner')).toBe('models.planner environment openai/three');
  expect(line('maxTurns.chat')).toBe('maxTurns.chat file 5');
  expect(line('maxTurns.research')).toBe('maxTurns.research file 2');
  expect(line('maxTurns.code')).toBe('maxTurns.code default 60');
  expect(line('tools.imports.python')).toBe('tools.imports.python file re');
  expect(line('tools.timeoutSeconds')).toBe('tools.timeoutSeconds default 30');
  expect(line('DOCKER_HOST')).toBe('DOCKER_HOST default not set');
  expect(line('DOCKER_CONTEXT')).toBe('DOCKER_CONTEXT default not set');
  expect(line('DOCKER_CERT_PATH')).toBe('DOCKER_CERT_PATH default not set');
  expect(line('ANTHROPIC_BASE_URL')).toBe('ANTHROPIC_BASE_URL default not set');
  expect(line('OLLAMA_BASE_URL')).toBe('OLLAMA_BASE_URL default http://127.0.0.1:11434/v1');
  expect(line('LITELLM_API_KEY')).toBe('LITELLM_API_KEY default not set');
  expect(line('LONGHAUL_SEARCH')).toBe('LONGHAUL_SEARCH default not set');
});

test('an .env in the current folder, where agents write, is ignored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-init-'));
  writeFileSync(join(folder, '.env'), 'LONGHAUL_MODEL=openai/planted\n');
  const { stdout } = await runCli(['config'], { environment: { LONGHAUL_HOME: join(folder, 'home') }, folder });
  expect(stdout).not.toContain('planted');
  rmSync(folder, { recursive: true });
});

test('a set variable takes precedence over the file', () => {
  writeFileSync(join(home, '.env'), 'A=file\nB=file\nLONGHAUL_HOME=/elsewhere\n');
  expect(withEnvFile({ LONGHAUL_HOME: home, A: 'set' })).toEqual({ LONGHAUL_HOME: home, A: 'set', B: 'file' });
});
