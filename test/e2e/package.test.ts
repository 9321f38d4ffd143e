import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { call } from '../support/stack/scripts.ts';
import { removeHome, testEnvironment } from '../support/stack/test-environment.ts';

/** Of no service: what the installation fetches from a host of its own, it does not get. */
const unreachable = 'http://127.0.0.1:9';

const script = {
  entries: [
    {
      after: 'What time is it in Oslo',
      turns: [call('local_time', { timeZone: 'Europe/Oslo' }), { text: 'Time to go home.', expect: ['M'] }],
    },
    {
      after: 'Is it day in Lima',
      turns: [call('local_time', { timeZone: 'America/Lima' }), { text: 'It is.', expect: ['M'] }],
    },
    { after: 'What I know of durable agents', turns: [{ text: 'They go on.' }] },
  ].map((entry) => ({ role: 'agent', ...entry })),
};

let folder: string;
let project: string;
let home: string;
let tarball: string;

/** What `npx longhaul` runs, without the second that npm takes first. */
const longhaul = join('node_modules', '.bin', 'longhaul');

/** A person's environment, not that of the npm that runs the tests. */
function environment(): Record<string, string> {
  const own = Object.entries(testEnvironment(home)).filter(([name]) => !/^(npm_|NODE_|ONNXRUNTIME_|CI$)/.test(name));
  return {
    ...Object.fromEntries(own),
    LONGHAUL_MODEL_EMBEDDING: 'local',
    LONGHAUL_SCRIPT: join(folder, 'script'),
    GLOBAL_AGENT_HTTPS_PROXY: unreachable,
    GLOBAL_AGENT_HTTP_PROXY: unreachable,
  };
}

const run = (file: string, ...parameters: string[]) =>
  execa(file, parameters, { cwd: project, env: environment(), extendEnv: false, stdin: 'ignore' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-package-'));
  home = join(folder, 'home');
  project = join(folder, 'project');
  mkdirSync(project);
  mkdirSync(join(folder, 'script'));
  writeFileSync(join(folder, 'script', 'agents.yaml'), JSON.stringify(script)); // JSON is YAML
  const packed = await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { stdin: 'ignore' });
  tarball = join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball, 'zod');
});
afterAll(async () => {
  await run(longhaul, 'down');
  await removeHome(home);
  rmSync(folder, { recursive: true, force: true });
});

test('the package is as npm and TypeScript expect it', async () => {
  await execa('npx', ['publint', tarball, '--strict'], { stdin: 'ignore' });
  await execa('npx', ['attw', tarball, '--profile', 'esm-only', '--no-definitely-typed'], { stdin: 'ignore' });
});

test('it installs although the runtime of the local embedding model cannot fetch its parts', () => {
  const installed = join(project, 'node_modules');
  expect(existsSync(join(installed, 'longhaul', 'package.json'))).toBe(true);
  expect(existsSync(join(installed, 'onnxruntime-node'))).toBe(false);
});

test('nothing that only its makers need is in it', () => {
  expect(readdirSync(join(project, 'node_modules', 'longhaul')).toSorted()).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'activities', 'agents', 'bin', 'cli', 'db', 'dist', 'docs', 'examples'],
    ...['package.json', 'sandbox', 'setup', 'temporal', 'testing'],
  ]);
});

test('npx longhaul works and says where its data is', async () => {
  const help = await run('npx', 'longhaul', '--help');
  expect(help.stdout).toContain(`Data folder: ${home} (LONGHAUL_HOME moves it).`);
  const ps = await run('npx', 'longhaul', 'ps');
  expect(ps.stdout).toContain(`absent, in ${home}`);
  expect(ps.stdout).toContain('`npx longhaul up` starts one.');
  const init = await run('npx', 'longhaul', 'init');
  expect(init.stdout).toContain(`Wrote ${join(home, 'longhaul.config.ts')}`);
  await run('npx', 'longhaul', 'init', 'agent', 'clock');
  expect(readdirSync(join(project, 'clock')).toSorted()).toEqual([
    'README.md',
    'agent.ts',
    'package.json',
    'tsconfig.json',
  ]);
});

/** Compiles as a user might who takes the types of all libraries seriously; returns what the compiler says. */
async function compile(files: string[], { skipLibCheck = false } = {}): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, skipLibCheck, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ module: 'nodenext', target: 'es2023', types: ['node'], rootDir: '.', outDir: 'out' },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = resolve('node_modules', '@typescript', 'native', 'bin', 'tsc');
  return (await execa(process.execPath, [compiler, '-p', project], { reject: false })).stdout;
}

test('a program checks strictly, with the types of all libraries, and finds memories by their words', async () => {
  copyFileSync(join('test', 'fixtures', 'installed', 'use-longhaul.ts'), join(project, 'use-longhaul.ts'));
  expect(await compile(['use-longhaul.ts'])).toBe('');
  copyFileSync(join('test', 'fixtures', 'installed', 'use-worker.ts'), join(project, 'use-worker.ts'));
  // Temporal's own types do not check.
  expect(await compile(['use-worker.ts'], { skipLibCheck: true })).toBe('');
  const { stdout } = await run(process.execPath, join('out', 'use-longhaul.js'));
  expect(JSON.parse(stdout)).toEqual({
    found: ['The upload limit is 5 MB'],
    notices: [expect.stringContaining('`ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node`')],
    isError: true,
    sandboxes: 'function',
  });
});

/** The programs of the README's section, each of which begins with its path. */
function writeProgramsOf(section: string): string[] {
  const [text = ''] = readFileSync('README.md', 'utf8').split(`\n## ${section}\n`).slice(1);
  const [, ...blocks] = (text.split('\n## ')[0] ?? '').split('\n```ts\n// ');
  return blocks.map((block) => {
    const [path = '', ...lines] = (block.split('\n```')[0] ?? '').split('\n');
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), lines.join('\n'));
    return path;
  });
}

test("the README's agents, and the one that init writes, run in the stack of the package", async () => {
  await run(longhaul, 'init', 'agent', 'world-clock');
  const programs = writeProgramsOf('Your own agents');
  expect(programs).toEqual(['clock/agent.ts', 'digest.ts']);
  expect(await compile([...programs, 'world-clock/agent.ts'])).toBe('');

  await run(longhaul, 'up', '-d');
  const clock = await run(longhaul, 'run', './clock', '-m', 'What time is it in Oslo?');
  expect(clock.stdout).toBe('Time to go home.');
  const digest = await run(process.execPath, join('out', 'digest.js'));
  expect(digest.stdout).toBe('They go on.');
  const initialized = await run(longhaul, 'run', './world-clock', '-m', 'Is it day in Lima?');
  expect(initialized.stdout).toBe('It is.');
});
