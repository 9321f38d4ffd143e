import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createChatActivities } from '../../../activities/chat/chat.ts';
import { pruneDeletedChats } from '../../../activities/chat/discard-chat.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createCodeTools } from '../../../activities/tools/kinds/code-tools.ts';
import { createSkillTool } from '../../../activities/tools/kinds/skill-tool.ts';
import { createWorkspaceTools } from '../../../activities/tools/kinds/workspace-tools.ts';
import type { ToolContext } from '../../../activities/tools/tool.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';
import { pruneSandboxes } from '../../../sandbox/prune-sandboxes.ts';
import { createTestSandboxes } from '../../sandbox/test-sandboxes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

const host = createTestSandboxes();
const folder = mkdtempSync(join(tmpdir(), 'longhaul-chat-sandbox-'));
const chatId = `chat-${host.stack}`;
let postgres: TestDatabase;
let memory: MemoryStore;
let dependencies: Dependencies;
let code: ReturnType<typeof createCodeTools>;
let files: ReturnType<typeof createWorkspaceTools>;
let skills: ReturnType<typeof createSkillTool>;
let chats: ReturnType<typeof createChatActivities>;

beforeAll(async () => {
  postgres = await createTestDatabase();
  await createChat(postgres.database, { id: chatId, name: 'a' });
  memory = await openMemoryStore({ uri: join(folder, 'memories') });
  dependencies = {
    database: postgres.database,
    memory,
    sandboxes: host.sandboxes,
    defaultImage: process.env.SANDBOX_IMAGE || (await imageTag(packageRoot())),
    agents: { chat: { network: 'none' }, permissions: { rules: [] } },
    skillsFolder: join(folder, 'skills'),
    chatFolder: (id: string) => join(folder, 'chats', id),
  } as unknown as Dependencies; // no other dependency is used
  code = createCodeTools(dependencies);
  files = createWorkspaceTools(dependencies);
  skills = createSkillTool(dependencies);
  chats = createChatActivities(dependencies);
});
afterAll(async () => {
  await host.closeAll();
  for (const { name } of await host.sandboxes.listKept()) await host.sandboxes.close(name);
  await memory?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let calls = 0;

function next(role: 'chat' | 'code' = 'chat'): ToolContext {
  calls += 1;
  const { signal } = new AbortController();
  const run = { owner: { kind: 'chat' as const, id: chatId }, runId: `${chatId}-r1`, role, maxTurns: 15 };
  return { run, id: `${chatId}-r1.${calls}.0`, cancel: signal, detach: signal };
}
const python = (text: string, more: { timeout_seconds?: number } = {}, context = next()) =>
  code.execute_code({ language: 'python', code: text, ...more }, context);
const shell = async (command: string) => (await files.run_command({ command }, next())).text;

test('a chat has one sandbox without network', async () => {
  expect(await code.create_sandbox({}, next())).toMatchObject({
    text: expect.stringMatching(/^The sandbox is ready\. There is no network\. Python 3[\s\S]*Node v/),
    display: 'created',
  });
  expect(await code.create_sandbox({}, next())).toMatchObject({ display: 'exists' });
  expect(await host.sandboxes.list()).toMatchObject([{ name: chatId, owner: { owner: chatId, purpose: 'chat' } }]);
  expect(await shell('ls /sys/class/net')).toBe('lo\n[exit code 0]');
});

test('results, output and errors of a call are told apart', async () => {
  await python('import math\nradius = 2');
  expect((await python('print("area")\nround(math.pi * radius ** 2)')).text).toBe('[result]\n13\n[output]\narea');
  expect((await python('pass')).text).toBe('[no result and no output]');
  const failed = await python('print("so far")\nradius / 0');
  expect(failed).toMatchObject({ failed: true, display: 'ZeroDivisionError: division by zero' });
  expect(failed.text).toMatch(/^\[output\]\nso far\n\[error\]\nTraceback[\s\S]*ZeroDivisionError/);
  const javascript = (text: string) => code.execute_code({ language: 'javascript', code: text }, next());
  const thrown = await javascript('function f() { throw new Error("boom\\nand more"); }\nf()');
  expect(thrown).toMatchObject({
    failed: true,
    display: 'Error: boom',
    text: expect.stringMatching(/boom[\s\S]* at f /),
  });
  expect((await javascript('a b')).display).toMatch(/^SyntaxError: Unexpected identifier/);
  const late = await python('while True: pass', { timeout_seconds: 1 });
  expect(late.text).toContain('[note]\nIt was stopped after its timeout of 1 s; earlier definitions stay.');
  const gone = await python('import os\nos._exit(0)');
  expect(gone.text).toBe(
    '[note]\nThe interpreter ended during this call. Variables, functions and imports are gone; files are kept.',
  );
  expect((await python('"radius" in globals()')).text).toBe(
    '[result]\nFalse\n[note]\nA new interpreter was started for this call; definitions of earlier calls are gone.',
  );
});

test('the files of a skill are copied into the sandbox, where they run', async () => {
  const skill = join(folder, 'skills', 'greet');
  mkdirSync(join(skill, 'scripts'), { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: greet\ndescription: Greets.\n---\nRun it.\n');
  writeFileSync(join(skill, 'scripts', 'greet.sh'), '#!/bin/bash\necho hello\n', { mode: 0o755 });
  const { text, failed } = await skills.read_skill({ name: 'greet' }, next());
  expect(failed).toBeUndefined();
  const place = /\[Its other files, in (\S+): scripts\/greet\.sh\./.exec(text)?.[1];
  expect(await shell(`${place}/scripts/greet.sh; ls /workspace/skills`)).toMatch(/^hello\nls: cannot access/);
  expect((await skills.read_skill({ name: 'greet', file: 'scripts/greet.sh' }, next())).text).toContain('echo hello');
});

test('a picture is copied to the person, and only pictures are', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const context = next();
  const made = await python(
    `import base64\nopen("dot.png", "wb").write(base64.b64decode("${png}"))\nopen("no.png", "w").write("text")\nNone`,
    {},
    context,
  );
  const file = join(folder, 'chats', chatId, 'images', `${context.id}-1.png`);
  expect(made.text).toBe(`[images]\ndot.png (the person finds it at ${file})\nno.png`);
  expect(made.display).toContain(file);
  expect(made.pictures).toEqual([file]);
  expect(readFileSync(file).toString('base64')).toBe(png);
});

test('the image draws plots, and has a supported Node', async () => {
  const drawn = await python('import pandas, matplotlib.pyplot as pyplot\npandas.Series([1, 4, 9]).plot()\nNone');
  expect(drawn).toMatchObject({ failed: false, pictures: [expect.stringMatching(/-1\.png$/)] });
  expect(drawn.text).toMatch(/^\[images\]\n\.figures\/.*-1\.png \(the person finds it at /);
  expect(readFileSync(drawn.pictures?.[0] ?? '').toString('latin1', 1, 4)).toBe('PNG');
  expect(await shell('node --version; npm --version')).toMatch(/^v24\..*\n11\./);
});

test('a failed command is shown as failed', async () => {
  const run = (command: string, timeout = 60) => files.run_command({ command, timeout_seconds: timeout }, next());
  expect(await run('true')).toMatchObject({ failed: false, display: expect.stringMatching(/^exit 0, /) });
  expect(await run('echo so; exit 3')).toMatchObject({
    ...{ failed: true, text: 'so\n[exit code 3]', display: expect.stringMatching(/^exit 3, /) },
  });
  expect((await run('kill -9 $$')).text).toBe(
    '[exit code 137: it was killed; most likely it ran out of memory, of which the sandbox has 2 GB]',
  );
  expect(await run('sleep 9', 1)).toMatchObject({ failed: true, display: expect.stringMatching(/^timed-out, /) });
});

test('files outlive an idle container and are shared with delegates; a finished command is not run again in a new one, and its record goes in time', async () => {
  await files.write_file({ path: 'notes.md', content: 'kept\n' }, next());
  await python('state = 1');
  const context = next();
  await files.run_command({ command: 'echo ran >>runs' }, context);
  await shell('cd ~/.longhaul/commands && mkdir old && touch -d "3 days ago" old');
  await chats.releaseChatSandbox({ chatId });
  expect(await host.sandboxes.list()).toEqual([]);
  await host.sandboxes.pruneVolumes();
  const read = await files.read_file({ path: 'notes.md' }, next('code'));
  expect(read.text).toBe('1\tkept');
  expect((await python('"state" in globals()')).text).toContain('[result]\nFalse\n[note]\nA new interpreter');
  await files.run_command({ command: 'echo ran >>runs' }, context);
  expect(await shell('cat runs; ls ~/.longhaul/commands | grep -c -x old')).toBe('ran\n0\n[exit code 1]');
  expect(await pruneSandboxes(host.sandboxes, async () => true)).toEqual([]);
  expect(await pruneSandboxes(host.sandboxes, async () => false)).toEqual([chatId]);
  expect(await shell('cat notes.md')).toBe('kept\n[exit code 0]');
});

test('an image without an interpreter fails at once', async () => {
  const nothing = { outcome: 'exited', exitCode: 127, output: { text: 'bash: python3: not found' }, durationMs: 1 };
  const bare = { find: async () => ({ run: async () => nothing }) } as unknown as Dependencies['sandboxes'];
  const tools = createCodeTools({ sandboxes: bare, chatFolder: () => folder } as unknown as Dependencies);
  expect(await tools.execute_code({ language: 'python', code: '1' }, next())).toEqual({
    failed: true,
    text: expect.stringMatching(/^Expected the sandbox to run python, got exit code 127: bash: python3: not found/),
  });
});

test('only the files of deleted chats of this database are removed', async () => {
  const of = (sessionId: string) => ({ kind: 'fact', scope: 'session' as const, sessionId, text: `Of ${sessionId}.` });
  const note = () => memory.remember([{ id: 'own', ...of(chatId) }]);
  await note();
  await memory.remember([
    { id: 'other', ...of('chat-other') },
    { id: 'everybody', kind: 'fact', scope: 'global', text: 'For all.', source: { run: `${chatId}-r1` } },
  ]);
  await memory.remember([{ id: 'forgotten', ...of(chatId), expiresAt: new Date() }]);
  const remembered = async () => (await memory.list({ scope: 'everything', history: true })).map(({ id }) => id).sort();
  await chats.releaseChatSandbox({ chatId, discard: true });
  expect(await shell('cat notes.md')).toBe('kept\n[exit code 0]');
  expect(await pruneDeletedChats(dependencies)).toEqual([]);
  expect(await remembered()).toEqual(['everybody', 'forgotten', 'other', 'own']);
  expect(existsSync(join(folder, 'chats', chatId))).toBe(true);
  await deleteChat(postgres.database, chatId);
  await host.sandboxes.release(chatId);
  await expect(shell('true')).rejects.toThrow(/No chat has the name or id/);
  await chats.releaseChatSandbox({ chatId, discard: true });
  expect(await host.sandboxes.listKept()).toEqual([]);
  expect(existsSync(join(folder, 'chats', chatId))).toBe(false);
  expect(await remembered()).toEqual(['everybody', 'other']);
  // As if a client had been killed after the deletion but before the clean-up.
  await createChat(postgres.database, { id: chatId, name: 'a' });
  await code.create_sandbox({}, next());
  await note();
  expect(await pruneDeletedChats(dependencies)).toEqual([]); // it is there again
  const pictures = (id: string) => join(folder, 'chats', id, 'images');
  for (const id of [chatId, 'chat-elsewhere']) mkdirSync(pictures(id), { recursive: true });
  await deleteChat(postgres.database, chatId);
  expect(await pruneDeletedChats(dependencies)).toEqual([chatId]);
  expect(await host.sandboxes.list()).toEqual([]);
  expect(existsSync(pictures(chatId))).toBe(false);
  expect(await remembered()).toEqual(['everybody', 'other']);
  // A worker with another database knows nothing of it.
  expect(existsSync(pictures('chat-elsewhere'))).toBe(true);
  await chats.releaseChatSandbox({ chatId: 'chat-elsewhere', discard: true });
  expect(existsSync(pictures('chat-elsewhere'))).toBe(true);
  expect(await pruneDeletedChats(dependencies)).toEqual([]);
});
