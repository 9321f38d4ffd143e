import { expect, test } from '@jest/globals';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { pruneUnowned } from '../../client/prune-unowned.ts';
import type { Sandboxes, SandboxListing, SandboxOwner } from '../../sandbox/sandbox.ts';

const running = ['chat-busy', 'project-busy', 'project-busy-session'];

/** A fake that only tells which workflows are running. */
const client = {
  workflow: {
    getHandle: (id: string) => ({
      async describe() {
        if (!running.includes(id)) throw new WorkflowNotFoundError('no such workflow', id, undefined);
        return { status: { name: 'RUNNING' } };
      },
    }),
  },
} as unknown as Client;

async function prune(...owners: Array<[SandboxOwner, minutesOld?: number]>): Promise<string[]> {
  const listed: SandboxListing[] = owners.map(([owner, minutesOld = 0], index) => ({
    name: `${index}`,
    owner,
    running: true,
    createdAt: new Date(Date.now() - minutesOld * 60_000),
  }));
  const sandboxes = { list: async () => listed, async close() {}, async release() {}, pruneVolumes: async () => [] };
  return pruneUnowned(sandboxes as unknown as Sandboxes, client);
}

test('a worker that starts would take the containers of made tools away from those that call them', async () => {
  const tool = (project: string): SandboxOwner => ({ project, owner: 'tool-1', purpose: 'tool' });
  expect(await prune([tool('chat-busy')], [tool('chat-idle')], [tool('project-busy')])).toEqual(['1']);
});

test("a person's check of a tool would be pruned, or what is left of one never be", async () => {
  const check: SandboxOwner = { project: 'validation', owner: 'tool-1', purpose: 'tool' };
  expect(await prune([check], [check, 60], [check, 180])).toEqual(['2']);
});

test('sandboxes of sessions, verifications and chats would outlive what they are for', async () => {
  const of = (project: string, owner: string, purpose: 'session' | 'verification') => ({ project, owner, purpose });
  expect(
    await prune(
      [of('project-busy', 'project-busy-session', 'session')],
      [of('project-busy', 'ended', 'session')],
      [of('project-busy', 'ended', 'verification')],
      [of('project-ended', 'ended', 'verification')],
      [{ owner: 'chat-busy', purpose: 'chat' }],
      [{ owner: 'chat-idle', purpose: 'chat' }],
    ),
  ).toEqual(['1', '3', '5']);
});
