import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findCode } from '../../../cli/agents/find-agent-code.ts';
import type { CommandContext } from '../../../cli/program/command-context.ts';
import { findAgentFolder } from '../../../client/agents/agent-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'longhaul-find-agent-'));
const [home, folder] = [join(root, 'home'), join(root, 'repository')];
const context = { folder, configurationWithFile: async () => ({ agents: { folders: [join(home, 'agents')] } }) };
const find = (reference: string) => findCode(context as unknown as CommandContext, reference); // it asks for nothing else

beforeAll(() => {
  for (const [place, file] of [
    [join(home, 'agents', 'reviewer'), 'agent.ts'],
    [join(home, 'agents', 'writer'), 'agent.md'],
    [join(folder, 'reviewer'), 'agent.ts'],
    [join(folder, 'writer'), 'agent.ts'],
    [join(folder, 'writer'), 'agent.md'],
    [join(folder, 'near'), 'agent.ts'],
  ] as const) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, file), '');
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a name is the person's own agent, also where the current folder has code of that name", async () => {
  expect(await find('reviewer')).toBe(join(home, 'agents', 'reviewer', 'agent.ts'));
  expect(await find('writer')).toBeUndefined(); // it is an agent.md alone
  expect(findAgentFolder('writer', { home, folder })).toBe(join(home, 'agents', 'writer'));
});

test('a path is what it says, and so is a name that no agent has', async () => {
  expect(await find('./reviewer')).toBe(join(folder, 'reviewer', 'agent.ts'));
  expect(await find('near')).toBe(join(folder, 'near', 'agent.ts'));
  expect(findAgentFolder('./writer', { home, folder })).toBe(join(folder, 'writer'));
});
