import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { packageRoot } from '../../../config/package-root.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { operations } from '../../../db/schema/agent-runs.ts';
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
  let lost = 0;
  for (const steps of kills) {
    const before = begunSteps();
    await waitFor('the next steps', () => begunSteps() - before >= steps);
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    await sleep(500); // what it had sent arrives
    lost = answers() - (await keptAnswers());
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
  expect(begunSteps()).toBeGreaterThan(runs * 5); // some steps were cut off, so this proves something
  expect(answers() - runs).toBeLessThanOrEqual(lost); // only what nobody had kept is asked for again
});

test('a program that takes runs ends at SIGTERM, and so does one that waits for a run', async () => {
  const gone = host && once(host, 'exit');
  host?.kill('SIGTERM');
  expect(await gone).toEqual([0, null]);
  const waiting = await startHost('wait');
  const ended = once(waiting, 'exit');
  waiting.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

function answers(): number {
  return stack.model.requests().filter(({ outcome }) => outcome === 'answered').length;
}

async function keptAnswers(): Promise<number> {
  const { database, close } = connectDatabase(stack.addresses.database, { maxConnections: 1 });
  const kept = and(eq(operations.kind, 'model'), eq(operations.finished, true));
  const count = await database.$count(operations, kept);
  await close();
  return count;
}

/** Those that ran more than once count as often. */
function begunSteps(): number {
  const log = join(folder, 'log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
}

async function startHost(...parameters: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(packageRoot(), 'test', 'fixtures', 'agent-host.mjs'), ...parameters], {
    env: { ...stack.environment, EFFECTS_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('Expected a pipe.');
  await once(createInterface(child.stdout), 'line');
  return child;
}
