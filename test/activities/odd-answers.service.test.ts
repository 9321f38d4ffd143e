import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readEvents } from '../../db/events/read-events.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import { readDecisions } from '../../db/project/decisions.ts';
import { readProgress } from '../../db/project/progress.ts';
import { readMessages } from '../../db/transcript/transcript.ts';
import { readUsage } from '../../db/usage/read-usage.ts';
import { createModels } from '../../models/create-models.ts';
import { type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { seedProject } from '../client/seed-project.ts';
import { createHashingEmbedder } from '../support/memory/hashing-embedder.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/test-database.ts';
import { beginRunOfTurns } from '../support/work/run-of-turns.ts';

describe('a huge answer', () => {
  const projectId = 'project-huge';
  const megabyte = 'It goes on and on. '.repeat(60_000);
  let postgres: TestDatabase;
  let model: ScriptedModel;

  beforeAll(async () => {
    postgres = await createTestDatabase();
    await seedProject(postgres.database, projectId);
    const turns = [
      { text: megabyte, calls: [{ tool: 'log_progress', arguments: { note: 'a' } }] },
      { text: 'Enough.', expect: [megabyte] },
    ];
    model = await startScriptedModel({ script: { entries: [{ role: 'code', turns }] } });
  });
  afterAll(async () => {
    await model?.close();
    await postgres?.stop();
  });

  test('an answer of a megabyte is stored whole, reported in short and sent with the next request', async () => {
    const { database } = postgres;
    const models = createModels({ providers: { openai: { apiKey: 'k', baseUrl: model.url, headers: true } } });
    // A model whose window can hold it.
    const names = 'openai/gpt-4.1';
    const { run, callModel, runTool } = await beginRunOfTurns({
      database,
      models,
      projectId,
      runId: `${projectId}-work`,
      names,
    });
    const answer = await callModel(1);
    expect(JSON.stringify(answer).length).toBeLessThan(1_000);
    expect(await callModel(1)).toEqual(answer); // as a retry finds it
    await runTool(1, answer.messageNumber, 0);
    const messages = await readMessages(database, run.runId);
    expect(messages.find(({ number }) => number === answer.messageNumber)?.content.text).toBe(megabyte);
    const told = (await readEvents(database, projectId)).filter(({ data }) => data.type === 'assistant.message');
    expect(JSON.stringify(told).length).toBeLessThan(2_000);
    await callModel(2); // the script expects the whole answer in this request
    expect(await readUsage(database, run.runId)).toMatchObject([{ turn: 1, outcome: 'ANSWERED' }, { turn: 2 }]);
  });
});

describe('unstorable words', () => {
  const projectId = 'project-odd';
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  const odd = 'a\0b\ud83dc';
  const mended = 'a\uFFFDb\uFFFDc';
  /** Events keep 500 characters of it, which would end in half of this pair. */
  const note = `${'n'.repeat(499)}😀 and so on`;
  const decision = {
    title: `${'t'.repeat(199)}😀`,
    context: odd,
    choice: `${'c'.repeat(299)}😀`,
    reasoning: odd,
    tags: [odd],
  };
  let postgres: TestDatabase;
  let memory: MemoryStore;
  let model: ScriptedModel;

  beforeAll(async () => {
    postgres = await createTestDatabase();
    await seedProject(postgres.database, projectId);
    memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
    const calls = [
      { tool: 'log_progress', arguments: { note } },
      { tool: 'log_progress', arguments: { note: odd } },
      { tool: 'record_decision', arguments: decision },
      { tool: 'search_memory', arguments: { query: odd, [odd]: odd } },
    ];
    model = await startScriptedModel({ script: { entries: [{ role: 'code', turns: [{ text: odd, calls }] }] } });
  });
  afterAll(async () => {
    await memory?.close();
    await model?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('half characters and NUL in answers, notes and decisions are stored replaced, and paid once', async () => {
    const { database } = postgres;
    const models = createModels({ providers: { openai: { apiKey: 'k', baseUrl: model.url, headers: true } } });
    const run = await beginRunOfTurns({ database, models, memory, projectId, runId: `${projectId}-work` });
    const answer = await run.callModel(1);
    expect(answer.calls).toHaveLength(4);
    for (const { position } of answer.calls) {
      expect(await run.runTool(1, answer.messageNumber, position)).toMatchObject({ failed: false });
    }
    const messages = await readMessages(database, run.run.runId);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'tool', 'tool']);
    expect(messages[2]?.content.text).toBe(mended);
    const notes = (await readProgress(database, projectId)).filter(({ action }) => action.startsWith('note of'));
    expect(notes.map(({ outcome }) => outcome)).toEqual([note, mended]);
    const recorded = (await readDecisions(database, projectId)).at(-1);
    expect(recorded).toMatchObject({ ...decision, context: mended, reasoning: mended, tags: [mended] });
    const told = (await readEvents(database, projectId)).map(({ data }) => data);
    expect(told).toContainEqual(expect.objectContaining({ type: 'progress.logged', outcome: 'n'.repeat(499) }));
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'decision.recorded', title: 't'.repeat(199), choice: 'c'.repeat(299) }),
    );
    expect(model.requests()).toHaveLength(1);
  });

  test('thoughts that Postgres cannot store are dropped, and the answer is kept', async () => {
    const { database } = postgres;
    const complete = (thought: string) => async () => ({
      text: 'I thought.',
      toolCalls: [],
      finish: 'done' as const,
      usage: { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 },
      firstTokenMs: 1,
      requestId: null,
      carried: { provider: 'mine', items: [{ thought, signature: 's' }] },
    });
    for (const [name, thought, kept] of [
      ['odd', odd, false],
      ['sound', 'C:\\u0000 😀', true],
    ] as const) {
      const models = createModels({ providers: {}, own: [{ name: 'openai', complete: complete(thought) }] });
      const run = await beginRunOfTurns({ database, models, projectId, runId: `${projectId}-${name}` });
      const { messageNumber } = await run.callModel(1);
      const content = (await readMessages(database, run.run.runId))[messageNumber]?.content;
      expect(content?.text).toBe('I thought.');
      expect(content?.carried?.items).toEqual(kept ? [{ thought, signature: 's' }] : undefined);
    }
  });
});
