import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectUndamaged } from '../support/expect-undamaged.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { call, proposal, smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack, waitFor } from '../support/test-stack.ts';

const decision = { title: 'Count', context: 'Runs', choice: 'By lines', reasoning: 'Simple', tags: [] };

// Each command tells how often it was begun, and verification fails where that is not once.
const script = smallProject(
  [
    { name: 'decided', planning: [call('record_decision', decision)], work: [begins('decided', 1), writes('decided')] },
    {
      name: 'noted',
      planning: [call('log_progress', { note: 'Noted.' })],
      work: [begins('noted', 2), writes('noted')],
    },
    { name: 'tested', category: 'testing', work: [begins('tested', 1), writes('tested')], dependencies: ['decided'] },
    { name: 'told', category: 'documentation', work: [begins('told', 1), writes('told')], dependencies: ['tested'] },
  ].map((feature) => ({
    ...feature,
    command: `sleep 1; grep -c . ${feature.name}-runs | grep -qx 1 && grep -qx ${feature.name} ${feature.name}.txt`,
  })),
);

const services = ['worker', 'temporal', 'postgres'] as const;
/** Each costs some seconds until the service is back and its work is tried again. */
const kills = 6;
const seed = testSeed();

let stack: TestStack;
const closing = new AbortController();

beforeAll(async () => {
  stack = await startTestStack({ script });
}, 120_000);
afterAll(async () => {
  closing.abort();
  await stack?.stop();
}, 30_000);

test(`random kills of worker, Temporal and Postgres over a whole project leave no trace (LONGHAUL_TEST_SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const folder = join(stack.home, 'killed');
  const project = await stack.longhaul.startProject({ goal: 'Four files.', name: 'killed', folder });
  let ended = false;
  const end = project.waitForEnd({ orRest: true, signal: closing.signal }).finally(() => {
    ended = true;
  });
  const done: string[] = [];
  while (!ended && done.length < kills) {
    await sleep(500 + random() * 3500);
    // Not the one of last time: the supervisor gives up a service that dies five times in a row right after its start.
    const others = services.filter((service) => service !== done.at(-1));
    const service = others[Math.floor(random() * others.length)] ?? 'worker';
    if (ended) break;
    done.push(service);
    await killAndWait(service);
  }
  console.log(`LONGHAUL_TEST_SEED=${seed}: killed ${done.join(', ')}`);
  expect(await end).toMatchObject({ status: 'COMPLETED' });
  await expectUndamaged(project, stack.model, { folder, features: 4, commits: 5, decisions: 1, progressEntries: 6 });
}, 300_000);

test('Postgres away at the moment of an answer: the answer is kept until it is back, not paid for twice', async () => {
  const folder = join(stack.home, 'paid');
  const features = proposal([{ name: 'told', category: 'documentation' }]);
  const project = await stack.longhaul.startProject({ goal: 'One file.', name: 'paid', folder, features });
  const run = `${project.id}-s1-plan`;
  stack.model.misbehave({ kind: 'delay', milliseconds: 3000 }, { match: { run } });
  await waitFor('the question', 60_000, () =>
    stack.model.requests().some((request) => request.run === run && request.outcome === 'open'),
  );
  await sleep(2700);
  await stack.kill('postgres');
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
  await expectUndamaged(project, stack.model, { folder, features: 1, commits: 2, decisions: 0, progressEntries: 2 });
}, 120_000);

/** Until the supervisor has started it again; one that dies too often right after its start is given up. */
async function killAndWait(service: (typeof services)[number]): Promise<void> {
  const find = async () => (await stack.record()).services.find((one) => one.name === service);
  const restarts = (await find())?.restarts ?? 0;
  await stack.kill(service);
  await waitFor(`${service} to be back`, 60_000, async () => {
    const found = await find();
    return found?.state === 'ready' && found.restarts > restarts;
  });
}

function begins(feature: string, seconds: number) {
  return call('run_command', { command: `echo begun >> ${feature}-runs; sleep ${seconds}` });
}
