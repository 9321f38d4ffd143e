import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatHandle } from '../../../client/index.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { fileTransfers } from '../../../db/schema/files.ts';
import { runCli } from '../../cli/run.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-own-folder-'));
const script = {
  entries: [
    {
      role: 'chat',
      after: 'Fix it',
      turns: [
        {
          ...call('read_file', { path: 'greet.sh' }),
          expect: [`/workspace\` holds a copy of the person's folder \`${folder}`, 'Greet in lower case.'],
        },
        { ...call('edit_file', { path: 'greet.sh', old_text: 'helo', new_text: 'hello' }), expect: ['echo helo'] },
        call('write_file', { path: '.envrc', content: 'export X=1\n' }),
        { text: 'It greets.' },
      ],
    },
    {
      role: 'chat',
      after: 'What is in @notes.txt',
      turns: [
        { ...call('read_file', { path: '/workspace/notes.txt' }), expect: ['@notes.txt is /workspace/notes.txt'] },
        { ...call('write_file', { path: 'out/sum.txt', content: 'A sum.\n' }), expect: ['buy seeds'] },
        { text: 'Seeds.' },
      ],
    },
    {
      role: 'chat',
      after: 'What is on @p.png',
      turns: [{ text: 'A dot.', expect: ['[picture]\nWhat is on @p.png?', '@p.png is /workspace/p.png'] }],
    },
  ],
};

let stack: ServiceStack;
let chat: ChatHandle;

beforeAll(async () => {
  await writeFile(join(folder, 'greet.sh'), 'echo helo\n', { mode: 0o755 });
  await writeFile(join(folder, 'AGENTS.md'), 'Greet in lower case.\n');
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'node_modules', 'x.js'), 'x');
  stack = await startServiceStack({ script });
  chat = await stack.longhaul.chat('fix');
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (parameters: string[], more: object = {}) =>
  runCli(parameters, { environment: { ...stack.environment }, folder, ...more });

test('a chat works on a copy of a folder, and its changes reach the folder only by apply', async () => {
  const begun = await cli(['chat', '--session', 'fix', '--dir', '.', '-m', 'Fix it']);
  expect(begun.stderr).toContain(`The assistant works on a copy of ${folder} (2 files).`);
  expect(begun.stderr).toContain('2 files changed in the copy. `longhaul chats diff "fix"` shows the changes');
  expect(begun).toMatchObject({ exitCode: 0, stdout: 'It greets.\n' });
  expect(readFileSync(join(folder, 'greet.sh'), 'utf8')).toBe('echo helo\n');
  const diff = (await cli(['chats', 'diff', 'fix'])).stdout;
  expect(diff).toContain('-echo helo\n+echo hello');
  expect(diff).toContain('  A .envrc\n  M greet.sh');
  expect((await cli(['chats', 'apply', 'fix'])).stderr).toContain('Expected --yes');
  chat = await stack.longhaul.existingChat('fix');
  const own = await chat.folder();
  const plan = await own?.plan();
  expect(plan?.asked.map(({ path }) => path)).toEqual(['.envrc']);
  if (plan) await own?.apply(plan, { without: ['.envrc'] });
  expect(readFileSync(join(folder, 'greet.sh'), 'utf8')).toBe('echo hello\n');
  expect((await own?.changes())?.map(({ path }) => path)).toEqual(['.envrc']);
  expect((await cli(['chats', 'apply', 'fix', '--yes'])).stdout).toContain('run by themselves');
  expect(await readFile(join(folder, '.envrc'), 'utf8')).toBe('export X=1\n');
  expect((await cli(['chats', 'diff', 'fix'])).stdout).toBe('Nothing was changed in the copy.\n');
});

test('a conflict is named and nothing is written; discard copies the folder as it is', async () => {
  await chat.files.put('greet.sh', Buffer.from('echo from the sandbox\n'));
  await chat.files.put('other.txt', Buffer.from('other\n'));
  writeFileSync(join(folder, 'greet.sh'), 'echo by hand\n');
  const applied = await cli(['chats', 'apply', 'fix', '--yes']);
  expect(applied).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/Nothing was written: greet\.sh changed in/),
  });
  expect(readFileSync(join(folder, 'greet.sh'), 'utf8')).toBe('echo by hand\n');
  expect((await cli(['chats', 'discard', 'fix', '--yes'])).stdout).toContain('(3 files)');
  expect(Buffer.from(await chat.files.get('greet.sh')).toString()).toBe('echo by hand\n');
  expect(await (await chat.folder())?.changes()).toEqual([]);
});

test('a copy that the sandbox has lost is no deletion of everything', async () => {
  await stack.sandboxes.close(chat.id ?? '');
  const lost = await cli(['chats', 'apply', 'fix', '--yes']);
  expect(lost.stderr).toContain('The sandbox has lost its copy');
  expect(readFileSync(join(folder, 'greet.sh'), 'utf8')).toBe('echo by hand\n');
});

test('another folder is refused, and so is a private one', async () => {
  const other = mkdtempSync(join(tmpdir(), 'longhaul-other-'));
  const refused = await cli(['chat', '--session', 'fix', '--dir', other, '-m', 'x']);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`works on a copy of ${folder}`) });
  expect((await cli(['chat', '--dir', '/etc', '-m', 'x'])).stderr).toContain('a folder of the system');
  rmSync(other, { recursive: true });
});

test('a mentioned file is read by the agent, and what it made is taken out', async () => {
  const own = mkdtempSync(join(tmpdir(), 'longhaul-own-files-'));
  await writeFile(join(own, 'notes.txt'), 'buy seeds\n');
  const answered = await cli(['chat', '--session', 'notes', '-m', 'What is in @notes.txt?'], { folder: own });
  expect(answered).toMatchObject({ exitCode: 0, stdout: 'Seeds.\n' });
  expect((await cli(['chats', 'files', 'notes'])).stdout).toBe('notes.txt (10 bytes)\nout/\nout/sum.txt (7 bytes)\n');
  expect((await cli(['chats', 'get', 'notes', 'out/sum.txt', '--to', '-'])).stdout).toBe('A sum.\n');
  expect((await cli(['chats', 'get', 'notes', '/workspace/out/sum.txt'], { folder: own })).exitCode).toBe(0);
  expect((await cli(['chats', 'get', 'notes', 'out/sum.txt'], { folder: own })).stderr).toContain('--force');
  expect((await cli(['chats', 'get', 'notes', 'gone.txt'])).stderr).toContain('gone.txt: there is no such file');
  expect((await cli(['chats', 'put', 'notes', 'notes.txt', '--to', 'in'], { folder: own })).stdout).toBe(
    'notes.txt is /workspace/in/notes.txt\n',
  );
  rmSync(own, { recursive: true });
});

test('a mentioned picture goes to the model, if it takes pictures', async () => {
  const own = mkdtempSync(join(tmpdir(), 'longhaul-own-pictures-'));
  await writeFile(join(own, 'p.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'));
  expect(await cli(['chat', '-m', 'What is on @p.png?'], { folder: own })).toMatchObject({ stdout: 'A dot.\n' });
  const asked = stack.model.requests().length;
  const question = ['chat', '--session', 'blind', '--model', 'openai/gpt-oss-20b', '-m', 'What is on @p.png?'];
  expect(await cli(question, { folder: own })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'The model openai/gpt-oss-20b takes no pictures. Send the message without pictures, or choose a model that takes them',
    ),
  });
  expect(
    stack.model
      .requests()
      .slice(asked)
      .map(({ role }) => role),
  ).not.toContain('chat'); // the summarizer may be at work on earlier chats
  rmSync(own, { recursive: true });
});

test('no file stays in the database, and none is in a message', async () => {
  const connection = connectDatabase(stack.addresses.database);
  expect(await connection.database.select().from(fileTransfers)).toEqual([]);
  await connection.close();
});
