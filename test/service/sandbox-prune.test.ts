import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { packageRoot } from '../../config/package-root.ts';
import { stackId } from '../../config/stack-id.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { Sandboxes, SandboxOwner } from '../../sandbox/sandbox.ts';
import { runCli } from '../cli/run.ts';
import { untilAsked } from '../support/stack/moments.ts';
import { removeSandboxes } from '../support/stack/remove-sandboxes.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import { scriptOf, startCase } from '../support/stack/side-by-side.ts';
import { waitFor } from '../support/wait-for.ts';

const live = { features: [{ name: 'live' }] };

let stack: ServiceStack;
let sandboxes: Sandboxes;
let project: ProjectHandle;

beforeAll(async () => {
  stack = await startServiceStack({ worker: 'process', script: scriptOf({ live }) });
  sandboxes = createSandboxes({ stack: stackId(stack.home) });
  stack.model.misbehave({ kind: 'hang' }, { match: { role: 'code' } });
  ({ project } = await startCase(stack, 'live', live));
  await untilAsked(stack.model, project, 's1-work', 1);
});
afterAll(async () => {
  await removeSandboxes(sandboxes);
  await stack?.stop();
});

/** Opens a sandbox as a worker may have left it. */
async function leave(name: string, owner: SandboxOwner): Promise<void> {
  const image = process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()));
  await sandboxes.open({ name, owner, image, network: 'none', keepsFiles: owner.purpose === 'chat' });
}

/** Leaves two orphans and a verification of the live project. Which owners are live is in test/activities/sandbox/prune-unowned.test.ts. */
async function leaveSome(mark: string): Promise<void> {
  await leave(`session-${mark}`, { project: project.id, owner: `${project.id}-s0`, purpose: 'session' });
  await leave(`chat-${mark}`, { owner: `chat-${mark}`, purpose: 'chat' });
  await leave(`live-${mark}`, { project: project.id, owner: `${project.id}-s0-v1`, purpose: 'verification' });
}

async function names(): Promise<string[]> {
  return (await sandboxes.list()).map(({ name }) => name).sort();
}

const prune = (...parameters: string[]) =>
  runCli(['sandbox', 'prune', ...parameters], { environment: { ...stack.environment } });

test('`sandbox prune` removes exactly what no live workflow owns', async () => {
  await leaveSome('cli');
  const { exitCode, stdout } = await prune('--json');
  expect({ exitCode, closed: JSON.parse(stdout).closed.sort() }).toEqual({
    exitCode: 0,
    closed: ['chat-cli', 'session-cli'],
  });
  expect(await names()).toEqual(['live-cli', `${project.id}-s1`].sort());
  // A chat's files outlive its sandbox.
  expect((await sandboxes.listKept()).map(({ name }) => name)).toEqual(['chat-cli']);
  expect(await prune()).toMatchObject({ exitCode: 0, stdout: 'Nothing to remove.\n' });
});

test('a starting worker removes sandboxes of dead owners and keeps those in use', async () => {
  await leaveSome('sweep');
  await stack.restartWorker();
  await waitFor('the pruning', async () => !(await names()).some((name) => /^(session|chat)-/.test(name)));
  expect(await names()).toEqual(['live-cli', 'live-sweep', `${project.id}-s1`].sort());
  // These chats are not in the database, but were not deleted either: it may be another database than theirs.
  expect((await sandboxes.listKept()).map(({ name }) => name).sort()).toEqual(['chat-cli', 'chat-sweep']);
});

test('sandboxes of an ended project are removed', async () => {
  await project.abandon();
  await project.waitForEnd();
  await prune();
  expect(await names()).toEqual([]);
});
