import { expect, test } from '@jest/globals';
import { pruneUnowned } from '../../../activities/sandbox/prune-unowned.ts';
import type { Sandboxes, SandboxListing, SandboxOwner } from '../../../sandbox/sandbox.ts';

const running = ['chat-busy', 'project-busy', 'project-busy-session'];

async function prune(...owners: SandboxOwner[]): Promise<string[]> {
  const listed: SandboxListing[] = owners.map((owner, index) => ({
    name: `${index}`,
    owner,
    running: true,
    createdAt: new Date(),
  }));
  const sandboxes = {
    list: async () => listed,
    async close() {},
    async release() {},
    pruneVolumes: async () => [],
    async closeGateways() {},
  };
  return pruneUnowned({
    sandboxes: sandboxes as unknown as Sandboxes,
    isRunning: async (id) => running.includes(id),
    mcpSandboxes: new Set(['0']),
  });
}

test('the sandbox of an MCP server stays while the settings name it', async () => {
  expect(await prune({ owner: 'shell', purpose: 'mcp' }, { owner: 'left', purpose: 'mcp' })).toEqual(['1']);
});

test('the sandbox of a made tool stays while the chat or project that calls it runs', async () => {
  const tool = (project: string): SandboxOwner => ({ project, owner: 'tool-1', purpose: 'tool' });
  expect(await prune(tool('chat-busy'), tool('chat-idle'), tool('project-busy'))).toEqual(['1']);
});

test("the sandbox of a user's own agent's run goes with the run, also when that was killed", async () => {
  expect(await prune({ owner: 'chat-busy', purpose: 'run' }, { owner: 'run-killed', purpose: 'run' })).toEqual(['1']);
});

test('sandboxes of sessions and chats go with their workflow, those of verifications with their project', async () => {
  const of = (project: string, owner: string, purpose: 'session' | 'verification') => ({ project, owner, purpose });
  expect(
    await prune(
      of('project-busy', 'project-busy-session', 'session'),
      of('project-busy', 'ended', 'session'),
      of('project-busy', 'ended', 'verification'),
      of('project-ended', 'ended', 'verification'),
      { owner: 'chat-busy', purpose: 'chat' },
      { owner: 'chat-idle', purpose: 'chat' },
    ),
  ).toEqual(['1', '3', '5']);
});
