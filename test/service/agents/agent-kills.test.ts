import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

const runs = 100;
/** How many steps a host has begun when it is killed; each takes up to 0.4 s after that, and 100 go on at once. */
const kills = [20, 130, 60, 150];

let stack: ServiceStack;
let folder: string;
let host: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-effects-'));
  const entries = Array.from({ length: runs }, (_, seed) => ({
    role: 'agent',
    after: `Say ${seed}.`,
    turns: [{ text: `${seed}` }],
  }));
  stack = await startServiceStack({ script: { entries } });
});
afterAll(async () => {
  host?.kill('SIGKILL');
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('100 runs of five steps whose process is killed four times: each effect once, no answer paid for twice', async () => {
  host = await startHost();
  const inputs = Array.from({ length: runs }, (_, seed) => ({ seed: `${seed}.` }));
  const handles = await Promise.all(inputs.map((params) => stack.longhaul.start('five', 'go', { params })));
  for (const steps of kills) {
    const before = begunSteps();
    await waitFor('the next steps', () => begunSteps() - before >= steps);
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    host = await startHost();
  }
  const results = await Promise.all(handles.map((handle) => handle.result()));
  const numbers = { 'step-1': 1, 'step-2': 2, 'step-3': 3, 'step-4': 4, 'step-5': 5 };
  expect(results.map(({ output }) => output)).toEqual(
    inputs.map((_, seed) => ({ results: numbers, state: { sum: 15 }, text: `${seed}` })),
  );
  const effects = readdirSync(folder).filter((name) => name !== 'log');
  const texts = effects.map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(new Set(texts).size).toBe(runs * 5);
  expect(effects).toHaveLength(runs * 5);
  const answered = stack.model.requests().filter(({ outcome }) => outcome === 'answered').length;
  expect(begunSteps()).toBeGreaterThan(runs * 5); // some steps were cut off, so this proves something
  expect(answered - runs).toBeLessThanOrEqual(kills.length); // in flight at a kill; each takes milliseconds
});

/** Those that ran more than once count as often. */
function begunSteps(): number {
  const log = join(folder, 'log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
}

async function startHost(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(packageRoot(), 'test', 'fixtures', 'agent-host.mjs')], {
    env: { ...stack.environment, EFFECTS_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('Expected a pipe.');
  await once(createInterface(child.stdout), 'line');
  return child;
}
