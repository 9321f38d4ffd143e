import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatHandle } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

let folder: string;
let stack: ServiceStack;
let chat: ChatHandle;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-mcp-'));
  const program = join(packageRoot(), 'test', 'support', 'mcp', 'notes-server.mjs');
  const notes = { command: process.execPath, args: [program], env: { NOTES_FILE: join(folder, 'notes') } };
  const add = (text: string) => call('mcp__notes__add_note', { text });
  stack = await startServiceStack({
    settings: `export default ${JSON.stringify({
      mcpServers: { notes },
      permissions: { allow: ['Tool(mcp__notes__read_notes)', 'Tool(mcp__notes__slow_note)'] },
    })};`,
    script: {
      entries: [
        { role: 'chat', after: 'Note milk', turns: [add('Milk'), { text: 'May I?' }] },
        { role: 'chat', after: 'You may', turns: [add('Milk'), { text: 'Noted.', expect: ['Noted: Milk'] }] },
        {
          role: 'chat',
          after: 'What is noted',
          turns: [
            call('mcp__notes__read_notes', {}),
            { text: 'Milk.', expect: ['<material from="the MCP server notes">\nMilk\n\n</material>'] },
          ],
        },
        {
          role: 'chat',
          after: 'Note slowly',
          turns: [
            call('mcp__notes__slow_note', { text: 'Slow' }),
            { text: 'I cannot know.', expect: ['whether mcp__notes__slow_note was done is not known'] },
          ],
        },
      ],
    },
  });
  chat = await stack.longhaul.chat('notes');
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

const notesFile = () => readFileSync(join(folder, 'notes'), 'utf8');

async function answerTo(text: string): Promise<string> {
  let answer = '';
  for await (const event of chat.send(text)) {
    if (event.type === 'answer') answer = event.text;
    if (event.type === 'failure') throw new Error(event.reason);
  }
  return answer;
}

test('a tool of an MCP server asks a person, and is called once it is allowed', async () => {
  expect(await answerTo('Note milk')).toBe('May I?');
  expect(notesFile).toThrow('ENOENT');
  const [request] = await stack.longhaul.inbox.list();
  expect(request?.asked).toContain('mcp__notes__add_note');
  await stack.longhaul.inbox.answer({ id: request?.id ?? '', answer: 'yes' });
  expect(await answerTo('You may')).toBe('Noted.');
  expect(notesFile()).toBe('Milk\n');
});

test('a rule allows a tool, and what it says is material', async () => {
  expect(await answerTo('What is noted')).toBe('Milk.');
});

test('a call that was cut off with its worker is not repeated', async () => {
  await chat.say('Note slowly');
  await waitFor('the note', () => notesFile().includes('Slow'));
  await stack.restartWorker();
  await waitFor('the answer', async () => (await chat.history()).at(-1)?.answer === 'I cannot know.');
  expect(notesFile()).toBe('Milk\nSlow\n');
});
