import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from '@jest/globals';
import { proposal, smallProject } from '../support/stack/scripts.ts';
import { untilCompleted } from '../support/stack/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';

const features = [{ name: 'told', category: 'documentation' as const }];

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ script: smallProject(features) });
});
afterAll(() => stack?.stop());

test('Postgres away at the moment of an answer: the answer is kept until it is back, not paid for twice', async () => {
  const folder = join(stack.home, 'projects', 'paid');
  const project = await stack.longhaul.startProject({
    goal: 'One file.',
    name: 'paid',
    folder,
    features: proposal(features),
  });
  const run = `${project.id}-s1-plan`;
  stack.model.misbehave({ kind: 'delay', milliseconds: 3000 }, { match: { run } });
  await waitFor('the question', () =>
    stack.model.requests().some((request) => request.run === run && request.outcome === 'open'),
  );
  await sleep(2700);
  await stack.kill('postgres');
  await untilCompleted(project);
  await expectUndamaged(project, stack.model, { folder, features: 1, commits: 2, decisions: 0, progressEntries: 2 });
});
