import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { connectLonghaul } from '../../../client/index.ts';
import { createAgentRun } from '../../../db/agent-runs/agent-runs.ts';
import { beginExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { createAuditStore } from '../../../db/stores/audit-store.ts';
import { createConversationStore } from '../../../db/stores/conversation-store.ts';
import { createKeyValueStore } from '../../../db/stores/key-value-store.ts';
import { createKnowledgeStore } from '../../../db/stores/knowledge-store.ts';
import { createPreferenceStore } from '../../../db/stores/preference-store.ts';
import { purgeAgentRuns } from '../../../db/stores/purge-agent-runs.ts';
import { createTaskStore } from '../../../db/stores/task-store.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { storeContracts } from '../../../testing/store-contract/store-contracts.ts';
import { runCli } from '../../cli/run.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { homeOfFile } from '../../support/servers/home-of-file.ts';
import { seedProject } from '../seed-project.ts';

const { database, url, home, environment } = await homeOfFile();
const memories = await openMemoryStore({ uri: join(home, 'contract-memories'), embedder: createHashingEmbedder() });
afterAll(() => memories.close());
const conversations = createConversationStore(database);

describe('memory', () => {
  test.each(storeContracts.memory)('$title', ({ run }) => run(createKeyValueStore(database)));
});

describe('conversations', () => {
  test.each(storeContracts.conversations)('$title', ({ run }) => run(conversations));
});

describe('tasks', () => {
  test.each(storeContracts.tasks)('$title', ({ run }) => run(createTaskStore(database)));
});

describe('preferences', () => {
  test.each(storeContracts.preferences)('$title', ({ run }) => run(createPreferenceStore(database)));
});

describe('knowledge', () => {
  const store = createKnowledgeStore({ memories: async () => memories, ranges: async () => [] });
  test.each(storeContracts.knowledge)('$title', ({ run }) => run(store));
});

describe('audit', () => {
  test.each(storeContracts.audit)('$title', ({ run }) => run(createAuditStore(database)));
});

describe('conversations are the chats', () => {
  test('what a program adds is shown as a chat shows it, with an answer that a branch gives to an earlier message', async () => {
    const { id } = await conversations.create();
    const call = { id: 'c1', name: 'look', arguments: '{}' };
    await conversations.append(id, { role: 'user', text: 'a' }, { role: 'assistant', text: 'b' });
    await conversations.append(id, { role: 'user', text: 'c' }, { role: 'assistant', text: '', toolCalls: [call] });
    await conversations.append(
      id,
      { role: 'tool', toolCallId: 'c1', text: 'No.', failed: true },
      { role: 'assistant', text: 'd' },
    );
    const shown = async (part = {}) =>
      (await readHistory(database, id, part)).map(({ said, answer, status }) => `${said} ${answer} ${status}`);
    expect(await shown()).toEqual(['a b ANSWERED', 'c d ANSWERED']);
    const [last] = await readHistory(database, id, { last: 1 });
    expect(last?.steps).toEqual([
      { type: 'tool', tool: 'look', arguments: '{}', failed: true, result: 'No.' },
      { type: 'text', text: 'd' },
    ]);
    const asked = (await conversations.messages(id)).find(({ text }) => text === 'c');
    await conversations.branch(id, asked?.number ?? 0);
    await conversations.append(id, { role: 'assistant', text: 'd2' });
    expect(await shown()).toEqual(['a b ANSWERED', 'c d2 ANSWERED']);
    expect(await shown({ last: 1 })).toEqual(['c d2 ANSWERED']);
  });

  test('a chat goes on where a program left off, with its instructions, and is busy until it has answered', async () => {
    const { id } = await conversations.create();
    await conversations.append(id, { role: 'user', text: 'a' }, { role: 'assistant', text: 'b' });
    await keepExchange(database, { chatId: id, id: 'm1', text: 'c' });
    const begun = await beginExchange(database, { chatId: id, id: 'm1' }, { instructions: 'You chat.', model: 'm/m' });
    expect(begun).toMatchObject({ number: 2, turn: 2 });
    expect((await readMessages(database, begun?.runId ?? '')).map(({ content }) => content.text)).toEqual([
      ...['You chat.', 'a', 'b', 'c'],
    ]);
    for (const work of [
      () => conversations.append(id, { role: 'user', text: 'd' }),
      () => conversations.branch(id, 1),
      () => conversations.edit(id, 1, 'x'),
      () => conversations.regenerate(id, 1),
      () => conversations.fork(id),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'ConversationBusy' });
  });

  test('of 1,000 messages that 10 processes add at once, none is lost, and each comes once in a definite order', async () => {
    const { id } = await conversations.create();
    const program = join(import.meta.dirname, 'append-messages.mjs');
    const writers = Array.from({ length: 10 }, (_, writer) => `w${writer}`);
    const run = (writer: string) =>
      promisify(execFile)(process.execPath, [program, url, id, writer, '100'], { env: {} });
    await Promise.all(writers.map(run));
    const said = await conversations.messages(id, { limit: 2_000 });
    expect(said.map(({ number }) => number)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    for (const writer of writers) {
      const own = said.filter(({ text }) => text.startsWith(`${writer}.`)).map(({ text }) => text);
      expect(own).toEqual(Array.from({ length: 100 }, (_, index) => `${writer}.${index}`));
    }
  });
});

/** The tables that have a row in which a text occurs. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await database.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.execute(
      sql`select 1 from ${sql.identifier(name)} one where one::text like ${`%${text}%`} limit 1`,
    );
    if (rows.length) found.push(name);
  }
  return found.toSorted();
}

describe('purge and export', () => {
  const cli = (...parameters: string[]) => runCli(parameters, { environment });

  test('a project that has ended is removed from every table and from the memories, with a list; one that goes on is not', async () => {
    const id = 'project-purged-aaaaaa';
    await seedProject(database, id);
    const longhaul = await connectLonghaul({ environment });
    try {
      const { stores } = longhaul;
      await stores.memory.set({ project: id }, 'branch', 'main');
      await stores.tasks.create({ title: 'Ship', projectId: id });
      await stores.preferences.set({ project: id }, 'style', 'short');
      await stores.audit.record({ actor: 'anna', action: 'start', projectId: id });
      await stores.knowledge.addFact({ text: 'The amounts are cents.', type: 'project', scope: { project: id } });
      await expect(stores.purge({ project: id })).rejects.toMatchObject({ code: 'ProjectNotEnded' });
      expect(await stores.tasks.list({ projectId: id })).toHaveLength(1);
      await setProjectStatus(database, id, 'ABANDONED');
      const planned = await stores.purge({ project: id }, { dryRun: true });
      const report = await stores.purge({ project: id });
      expect(report).toEqual(planned);
      const kinds = new Set(report.removed.map(({ store, kind }) => `${store} ${kind}`));
      for (const kind of ['memory entry', 'tasks task', 'knowledge fact', 'project decision', 'project feature'])
        expect(kinds).toContain(kind);
      expect(report.left.join(' ')).toContain(`/tmp/${id}`);
      expect(await tablesWith(id)).toEqual([]);
      expect(await stores.knowledge.facts({ reader: { project: id } })).toEqual([]);
    } finally {
      await longhaul.close();
    }
  });

  test("a person's rows are exported and removed from the command line, which asks first", async () => {
    const person = 'person-anna';
    await createTaskStore(database).create({ title: 'Water the plants', person });
    await createPreferenceStore(database).set({ person }, 'tone', 'short');
    const file = join(home, 'export.jsonl');
    expect((await cli('export', file, '--person', person)).stdout).toBe(`Wrote 2 rows to ${file}.\n`);
    const rows = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([
      { store: 'tasks', kind: 'task', row: { title: 'Water the plants' } },
      { store: 'preferences', kind: 'preference', row: { key: 'tone', value: 'short' } },
    ]);
    expect(await cli('purge', '--person', person)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Expected --yes, since nobody can be asked here.'),
    });
    const list = '  preferences  preference  person:person-anna/tone';
    expect((await cli('purge', '--person', person, '--dry-run')).stdout).toContain(`Would remove:\n${list}`);
    const declined = await runCli(['purge', '--person', person], { environment, typed: 'n\n' });
    expect(declined).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('Remove all of this for good?') });
    expect(await tablesWith(person)).toEqual(['preferences', 'tasks']);
    expect((await cli('purge', '--person', person, '--yes')).stdout).toContain(`Removed:\n${list}`);
    expect(await tablesWith(person)).toEqual([]);
    expect((await cli('purge', '--person', person, '--yes')).stdout).toContain('Nothing is stored');
  });

  test("a person's conversation ends before it is removed, and a worker is told to remove what it left elsewhere", async () => {
    const address = process.env.LONGHAUL_TEST_TEMPORAL ?? '';
    const person = 'person-carl';
    const longhaul = await connectLonghaul({ environment: { ...environment, TEMPORAL_ADDRESS: address } });
    const connection = await Connection.connect({ address });
    const { workflow } = new Client({ connection });
    try {
      const { conversations: own, memory } = longhaul.stores;
      const { id } = await own.create({ person });
      await own.append(id, { role: 'user', text: 'Hello.' });
      await memory.set({ session: id }, 'seen', true);
      await workflow.start('chatWorkflow', { workflowId: id, taskQueue: 'nobody', args: [{ chatId: id }] });
      const { removed } = await longhaul.stores.purge({ person });
      expect(removed.map(({ store, what }) => [store, what])).toEqual([
        ['memory', 'seen'],
        ['conversations', id],
      ]);
      expect((await workflow.getHandle(id).describe()).status.name).toBe('TERMINATED');
      const discarding = workflow.getHandle(`${id}-discard`);
      expect((await discarding.describe()).status.name).toBe('RUNNING');
      await discarding.terminate();
      expect(await tablesWith(id)).toEqual(['deleted_chats']);
    } finally {
      await longhaul.close();
      await connection.close();
    }
  });

  test("the runs of agents in a person's conversations go too, with what they started, but not while they run", async () => {
    const person = 'person-bert';
    const { id: conversationId } = await createConversationStore(database).create({ id: 'chat-of-bert', person });
    const run = (id: string, more: object) => ({
      ...{
        id,
        agent: 'weather',
        version: '1',
        kind: 'coded' as const,
        queue: 'q',
        input: [],
        metadata: {},
        limits: { modelCalls: 1, toolCalls: 1, tokens: 1 },
      },
      ...{ maxRetries: 0, backoffMs: 0, priority: 3, status: 'SUCCEEDED' as const, ...more },
    });
    await createAgentRun(database, run('run-of-bert', { conversationId }));
    await createAgentRun(database, run('run-below', { parentId: 'run-of-bert', status: 'RUNNING' }));
    await createAgentRun(database, run('run-named', { metadata: { person } }));
    await database.insert(runs).values([
      { id: 'run-of-bert', agentRunId: 'run-of-bert', role: 'own', model: 'm', status: 'FINISHED' },
      { id: 'run-below', agentRunId: 'run-below', parentId: 'run-of-bert', role: 'own', model: 'm', status: 'RUNNING' },
    ]);
    await insertMessage(database, {
      runId: 'run-below',
      number: 0,
      turn: 0,
      role: 'user',
      content: { text: 'For bert.' },
    });
    const owner = { person, sessions: [conversationId] };
    await expect(purgeAgentRuns(database, owner, { dryRun: false })).rejects.toMatchObject({ code: 'RunNotEnded' });
    await database.execute(sql`update agent_runs set status = 'CANCELLED' where id = 'run-below'`);
    const removed = await purgeAgentRuns(database, owner, { dryRun: false });
    expect(removed.map(({ id }) => id).toSorted()).toEqual(['run-below', 'run-named', 'run-of-bert']);
    await conversations.purge({ person });
    expect(await tablesWith('of-bert')).toEqual(['deleted_chats']);
    expect(await tablesWith('For bert.')).toEqual([]);
  });

  test.each([
    [['purge'], 'Expected --person, --project or --before.'],
    [['purge', '--person', 'a', '--project', 'b'], 'cannot be used with option'],
    [['purge', '--before', '2026-02-30'], 'Expected a day such as 2026-03-01, or an age in days such as 90d.'],
    [['export', '--only', 'files'], 'Allowed choices are memory, conversations'],
  ])('bad input is refused: %j', async (parameters, says) => {
    expect(await cli(...parameters)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
  });
});
