import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { packageRoot } from '../../config/package-root.ts';
import { stackId } from '../../config/stack-id.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { Sandboxes, SandboxOwner } from '../../sandbox/sandbox.ts';
import { startCommandLine } from '../support/stack/command-line.ts';
import { untilAnswered } from '../support/stack/moments.ts';
import { call, smallProject, writes } from '../support/stack/scripts.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';

const script = smallProject([
  { name: 'ended' },
  { name: 'live', work: [call('run_command', { command: 'sleep 600', timeout_seconds: 900 }), writes('live')] },
]);

let stack: TestStack;
let sandboxes: Sandboxes;
let project: ProjectHandle;

beforeAll(async () => {
  stack = await startTestStack({ script });
  sandboxes = createSandboxes({ stack: stackId(stack.home) });
  project = await stack.longhaul.startProject({ goal: 'Two files.' });
  await untilAnswered(project, 's2-work', 1);
});
afterAll(async () => {
  for (const { name } of await sandboxes.list()) await sandboxes.close(name);
  for (const { name } of await sandboxes.listKept()) await sandboxes.close(name);
  await stack?.stop();
});

/** Opens a sandbox as a worker may have left it. */
async function leave(name: string, owner: SandboxOwner): Promise<void> {
  const image = process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()));
  await sandboxes.open({ name, owner, image, network: 'none', keepsFiles: owner.purpose === 'chat' });
}

/** Leaves one orphan of each purpose, and a verification of the live project; returns the names that have to go. */
async function leaveSome(mark: string): Promise<string[]> {
  const ended = `${project.id}-s1`;
  await leave(`session-${mark}`, { project: project.id, owner: ended, purpose: 'session' });
  await leave(`verification-${mark}`, {
    project: 'project-gone',
    owner: 'project-gone-s1-v1',
    purpose: 'verification',
  });
  await leave(`initializer-${mark}`, { project: 'project-gone', owner: 'project-gone-init', purpose: 'initializer' });
  await leave(`chat-${mark}`, { owner: `chat-${mark}`, purpose: 'chat' });
  await leave(`live-${mark}`, { project: project.id, owner: `${ended}-v1`, purpose: 'verification' });
  return ['session', 'verification', 'initializer', 'chat'].map((purpose) => `${purpose}-${mark}`);
}

async function names(): Promise<string[]> {
  return (await sandboxes.list()).map(({ name }) => name).sort();
}

test('`sandbox prune` removes exactly what no live workflow owns', async () => {
  const gone = await leaveSome('cli');
  const { code, output } = await startCommandLine(stack.environment, 'sandbox', 'prune', '--json').ended;
  expect({ code, closed: JSON.parse(output).closed.sort() }).toEqual({ code: 0, closed: gone.sort() });
  expect(await names()).toEqual(['live-cli', `${project.id}-s2`].sort());
  // A chat's files outlive its sandbox.
  expect((await sandboxes.listKept()).map(({ name }) => name)).toEqual(['chat-cli']);
  const again = await startCommandLine(stack.environment, 'sandbox', 'prune').ended;
  expect(again).toMatchObject({ code: 0, output: 'Nothing to remove.\n' });
});

test('a starting worker removes sandboxes of dead owners and keeps those in use', async () => {
  await leaveSome('sweep');
  await stack.kill('worker');
  await stack.untilBack();
  const gone = /^(session|verification|initializer|chat)-/;
  await waitFor('the pruning', async () => !(await names()).some((name) => gone.test(name)));
  expect(await names()).toEqual(['live-cli', 'live-sweep', `${project.id}-s2`].sort());
  // These chats are not in the database, but were not deleted either: it may be another database than theirs.
  expect((await sandboxes.listKept()).map(({ name }) => name).sort()).toEqual(['chat-cli', 'chat-sweep']);
});

test('sandboxes of an ended project are removed', async () => {
  await project.abandon();
  await waitFor('the end', async () => (await project.status()).status === 'ABANDONED');
  await startCommandLine(stack.environment, 'sandbox', 'prune').ended;
  expect(await names()).toEqual([]);
});
