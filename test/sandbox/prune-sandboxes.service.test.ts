import { afterAll, expect, test } from '@jest/globals';
import { pruneSandboxes } from '../../sandbox/prune-sandboxes.ts';
import { createTestSandboxes } from './test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('pruning closes what no live owner has, stopped ones too, and leaves the rest and other stacks alone', async () => {
  const owner = (name: string) => ({ project: 'p', owner: name, purpose: 'session' as const });
  const other = createTestSandboxes();
  const live = await host.open({ owner: owner('live') });
  const dead = await host.open({ owner: owner('dead') });
  const stopped = await host.open({ owner: owner('dead') });
  const theirs = await other.open({ owner: owner('dead') });
  await host.sandboxes.stop(stopped.name);
  const closed = await pruneSandboxes(host.sandboxes, async ({ owner: { owner: name } }) => name === 'live');
  expect(closed.sort()).toEqual([dead.name, stopped.name].sort());
  expect((await host.sandboxes.list()).map(({ name }) => name)).toEqual([live.name]);
  expect((await other.sandboxes.list()).map(({ name }) => name)).toEqual([theirs.name]);
  const volumes = await host.docker.listVolumes({ filters: { label: [`longhaul.stack=${host.stack}`] } });
  expect(volumes.Volumes).toHaveLength(2);
  await other.closeAll();
});
