import { expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { fitConversation } from '../../activities/compaction/fit-conversation.ts';
import { setBudget } from '../../db/budget/set-budget.ts';
import { readEvents } from '../../db/events/read-events.ts';
import { projects } from '../../db/schema/projects.ts';
import { usage } from '../../db/schema/usage.ts';
import { readConversation } from '../../db/transcript/read-conversation.ts';
import { readMessages, writeMessage } from '../../db/transcript/transcript.ts';
import { ModelError, type ModelErrorCode } from '../../domain/model/model-error.ts';
import type { ModelAnswer } from '../../domain/model/model-provider.ts';
import { createModels } from '../../models/create-models.ts';
import { seedProject } from '../client/seed-project.ts';
import { databaseOfFile } from '../support/servers/test-database.ts';
import { beginRunOfTurns } from '../support/work/run-of-turns.ts';

const { database } = await databaseOfFile();
let count = 0;

const nothingUsed = { inputTokens: 10, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 };

/** A run in a project of its own whose model gives these answers, or fails for these reasons, one after the other. */
async function runOf(...answers: Array<Partial<ModelAnswer> | ModelErrorCode>) {
  count += 1;
  const projectId = `project-turns-${count}`;
  await seedProject(database, projectId);
  const left = [...answers];
  const models = createModels({
    providers: {},
    own: [
      {
        name: 'openai',
        async complete() {
          const answer = left.shift();
          if (answer === undefined) throw new Error('Expected no further call of the model.');
          if (typeof answer === 'string') throw new ModelError('It went wrong.', { code: answer });
          return {
            ...{ text: '', toolCalls: [], finish: 'done', usage: nothingUsed, firstTokenMs: 1, requestId: null },
            ...answer,
          };
        },
      },
    ],
  });
  return beginRunOfTurns({ database, models, projectId, runId: `${projectId}-work` });
}

const call = (index: number, text = '{"message": 1}', name = 'read_output') => ({
  id: `call-${index}`,
  name,
  arguments: text,
});
const calls = (many: number) => Array.from({ length: many }, (_, index) => call(index));

test('an answer of a thousand calls runs its first calls, and each call gets a result', async () => {
  const { run, callModel, runTool } = await runOf({ toolCalls: calls(1_500) }, { text: 'Well.', toolCalls: calls(1) });
  const answer = await callModel(1);
  expect(answer).toMatchObject({ undone: 1_468 });
  expect(answer.calls.map(({ position }) => position)).toEqual(Array.from({ length: 32 }, (_, index) => index));
  expect(JSON.stringify(answer).length).toBeLessThan(5_000);
  expect(await callModel(1)).toEqual(answer); // as a retry finds it
  const told = (await readEvents(database, run.owner.id)).flatMap(({ data }) =>
    data.type === 'assistant.message' ? [data.tools] : [],
  );
  expect(told.map((tools) => tools.length)).toEqual([32]); // what the events of the completed calls refer to
  for (const { position } of answer.calls) await runTool(1, answer.messageNumber, position);
  const messages = await readMessages(database, run.runId);
  expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index));
  const asked = messages[2]?.content.toolCalls?.map(({ id }) => id);
  expect(messages.slice(3).map(({ content }) => content.toolCallId)).toEqual(asked);
  const [first, second] = messages.slice(3 + 32).map(({ content }) => content.text);
  expect(first).toBe(
    'Not executed: only the first 32 calls of an answer are executed. This answer had 1500. Read their results before you make more calls.',
  );
  expect(second).toBe('Not executed: only the first 32 calls of an answer are executed.');
  expect(await callModel(2)).toMatchObject({ messageNumber: messages.length });
});

test('a call cut off at the token limit gets advice to write in parts', async () => {
  const whole = call(0);
  const broken = call(1, '{"path": "tome.txt", "content": "Once upon', 'write_file');
  const { callModel, runTool } = await runOf(
    { toolCalls: [whole, broken], finish: 'length' },
    { toolCalls: [call(2, '{}', 'write_file')], finish: 'length' },
    { toolCalls: [{ ...broken, id: 'call-3' }] },
  );
  const previewOf = async (turn: number, position: number) => {
    const { messageNumber } = await callModel(turn);
    return (await runTool(turn, messageNumber, position)).preview;
  };
  const told =
    'write_file was not executed. Your answer was cut off at the token limit in the middle of this call. Use smaller steps: for example, write a long file in several parts.';
  expect(await previewOf(1, 0)).toBe('Message 1 is not a tool result of this conversation.');
  expect(await previewOf(1, 1)).toBe(told);
  expect(await previewOf(2, 0)).toBe(told);
  expect(await previewOf(3, 0)).toMatch(/^The arguments of write_file are not valid JSON/);
});

test('an attempt whose answers are cut off ends with the limit named', async () => {
  const { callModel } = await runOf(
    { text: 'First I', finish: 'length' },
    { toolCalls: calls(1), finish: 'length' },
    { text: 'Well.' },
  );
  const first = await callModel(1);
  expect(first).toMatchObject({ calls: [], cutOff: true });
  expect(await callModel(1)).toEqual(first); // as a retry finds it
  for (const turn of [2, 3]) expect(await callModel(turn)).not.toHaveProperty('cutOff');
});

test('a refusal in the middle of calls ends the run, and its calls are not executed', async () => {
  const finish = 'refusal' as const;
  const { run, callModel } = await runOf(
    { text: 'I will', toolCalls: calls(2), finish },
    { toolCalls: calls(33), finish },
    { finish },
  );
  const first = await callModel(1);
  expect(first).toMatchObject({ calls: [], refused: 'I will' });
  expect(await callModel(1)).toEqual(first); // as a retry finds it
  expect(await callModel(2)).toMatchObject({ calls: [], refused: 'it was stopped during a call of read_output' });
  expect(await callModel(3)).toMatchObject({ calls: [], refused: 'it said nothing' });
  const told = (await readEvents(database, run.owner.id)).flatMap(({ data }) =>
    data.type === 'assistant.message' ? [data.tools] : [],
  );
  expect(told).toEqual([[], [], []]); // the calls are not reported
});

test('a retry after shortening counts the conversation again', async () => {
  const { run } = await runOf();
  for (let turn = 1; turn <= 30; turn += 1) {
    const toolCalls = [{ ...call(turn), id: `call-${turn}` }];
    const add = (number: number, role: 'assistant' | 'tool', content: object) =>
      writeMessage(database, { runId: run.runId, number, turn, role, content: { text: '', ...content } });
    await add(2 * turn, 'assistant', { toolCalls });
    await add(2 * turn + 1, 'tool', { text: 'x'.repeat(10_000), toolCallId: `call-${turn}` });
  }
  await database.insert(usage).values({ runId: run.runId, turn: 30, model: 'm', inputTokens: 83_000, durationMs: 1 });
  const turn = { ...run, turn: 31 };
  const ask = async () => fitConversation(database, turn, await readConversation(database, run.runId), 100_000);
  const first = await ask();
  const { shortenedUpTo } = await readConversation(database, run.runId);
  expect(shortenedUpTo).toBe(49);
  expect(await ask()).toEqual(first);
  expect((await readConversation(database, run.runId)).shortenedUpTo).toBe(shortenedUpTo);
  // A newer count is taken into account again.
  await database.insert(usage).values({ runId: run.runId, turn: 31, model: 'm', inputTokens: 99_000, durationMs: 1 });
  const full = await fitConversation(
    database,
    { ...run, turn: 32 },
    await readConversation(database, run.runId),
    100_000,
  );
  expect(full).not.toEqual(first);
});

test('text in Chinese is counted with its real number of tokens', async () => {
  const { run } = await runOf();
  for (let turn = 1; turn <= 24; turn += 1) {
    const add = (number: number, role: 'assistant' | 'tool', content: object) =>
      writeMessage(database, { runId: run.runId, number, turn, role, content: { text: '', ...content } });
    await add(2 * turn, 'assistant', { toolCalls: [call(turn)] });
    await add(2 * turn + 1, 'tool', { text: '很長的話'.repeat(500), toolCallId: `call-${turn}` });
  }
  await database.insert(usage).values({ runId: run.runId, turn: 24, model: 'm', inputTokens: 60_000, durationMs: 1 });
  const stored = await readConversation(database, run.runId);
  await fitConversation(database, { ...run, turn: 25 }, stored, 80_000);
  expect((await readConversation(database, run.runId)).shortenedUpTo).toBe(37);
});

test('a minutes budget is warned of before it is spent', async () => {
  const { run, callModel } = await runOf({ text: 'a' }, { text: 'b' }, { text: 'c' });
  const since = (minutes: number) =>
    database
      .update(projects)
      .set({ createdAt: new Date(Date.now() - minutes * 60_000) })
      .where(eq(projects.id, run.owner.id));
  await setBudget(database, { projectId: run.owner.id, limits: { minutes: 100 } });
  await since(70);
  await callModel(1);
  await since(85); // as if a command had run in between
  await database
    .update(usage)
    .set({ createdAt: new Date(Date.now() - 15 * 60_000) })
    .where(eq(usage.runId, run.runId));
  await callModel(2);
  await callModel(3);
  const events = await readEvents(database, run.owner.id);
  expect(events.flatMap(({ data }) => (data.type === 'budget.warned' ? [data.text] : []))).toEqual([
    "85 minutes of the project's budget of 100 minutes are used",
  ]);
});

test('a summarizer that is away or has a wrong key does not end the run', async () => {
  const { compactRun } = await runOf(
    'ModelOverloaded',
    'ModelAuthentication',
    'ModelQuotaSpent',
    'ModelContentRefused',
  );
  await expect(compactRun(5, 1)).rejects.toMatchObject({ type: 'ModelOverloaded', nonRetryable: false });
  await expect(compactRun(5, 1)).rejects.toMatchObject({ type: 'ModelAuthentication', nonRetryable: true });
  await expect(compactRun(5, 1)).rejects.toMatchObject({ type: 'ModelQuotaSpent', nonRetryable: true });
  expect(await compactRun(5, 1)).toEqual({ failure: 'It went wrong.' });
});
