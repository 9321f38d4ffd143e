import { expect, test } from '@jest/globals';
import { createCompactRun } from '../../../activities/compaction/compact-run.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { runs } from '../../../db/schema/runs.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { readSummaries } from '../../../db/transcript/summaries.ts';
import { writeMessage } from '../../../db/transcript/transcript.ts';
import { readUsage } from '../../../db/usage/read-usage.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelAnswer } from '../../../domain/model/model-provider.ts';
import type { Message } from '../../../domain/run/message.ts';
import { createModels } from '../../../models/create-models.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';
import { unwatched } from '../../support/work/unwatched.ts';

const { database } = await databaseOfFile();
let chats = 0;

/** Compacts a chat of five messages, whose summarizer answers as told. */
async function compact(answer: (asked: string) => Partial<ModelAnswer>) {
  chats += 1;
  const [chatId, runId] = [`chat-${chats}`, `chat-${chats}-r1`];
  await createChat(database, { id: chatId, name: chatId, memory: false });
  await database.insert(runs).values({ id: runId, chatId, role: 'chat', model: 'mine/m', status: 'RUNNING' });
  const told: Array<Omit<Message, 'number'>> = [
    { turn: 0, role: 'system', content: { text: 'You talk.' } },
    { turn: 1, role: 'user', content: { text: 'Hello.' } },
    { turn: 1, role: 'assistant', content: { text: 'Hello! '.repeat(2_000) } },
    { turn: 2, role: 'user', content: { text: 'Something bad.' } },
    { turn: 2, role: 'assistant', content: { text: '', refused: true } },
    { turn: 3, role: 'user', content: { text: 'Go on.' } },
  ];
  for (const [number, message] of told.entries()) await writeMessage(database, { runId, number, ...message });
  const asked: string[] = [];
  const usage = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  const models = createModels({
    providers: {},
    own: [
      {
        name: 'mine',
        async complete({ messages }) {
          const request = JSON.stringify(messages);
          asked.push(request);
          const whole = { text: '', toolCalls: [], finish: 'done' as const, usage, firstTokenMs: 1, requestId: null };
          return { ...whole, ...answer(request) };
        },
      },
    ],
  });
  const compactRun = createCompactRun({
    ...unwatched,
    database,
    models,
    prompts: loadPrompts('/nowhere'),
    callSettingsOf: () => ({}),
    modelOf: () => 'mine/m',
  } as unknown as Dependencies); // of the rest nothing is asked
  const run = { owner: { kind: 'chat' as const, id: chatId }, runId, role: 'chat' as const, maxTurns: 5 };
  const again = () => inActivity(() => compactRun({ ...run, turn: 3, upToMessage: 4, why: 'a test' }));
  return { outcome: again(), again, asked, summaries: () => readSummaries(database, runId), runId };
}

test('a refused message reaches neither the summarizer nor the summary', async () => {
  const { outcome, asked, summaries } = await compact(() => ({ text: 'They greeted.' }));
  expect(await outcome).toEqual({});
  expect(asked).toEqual([expect.stringContaining('Hello.')]);
  expect(asked[0]).not.toContain('bad');
  const [summary] = await summaries();
  expect(summary?.shown).toContain('Hello.');
  expect(summary?.shown).not.toContain('bad');
});

test.each<[string, Partial<ModelAnswer>, string]>([
  ['refused', { text: 'I will not.', finish: 'refusal' }, 'mine/m refused: I will not.'],
  ['empty', { text: ' ' }, 'mine/m gave an empty answer'],
  ['hardly shorter', { text: 'And then. '.repeat(2_000) }, 'the summary of mine/m would leave about'],
])('a summary that is %s is paid for once, never shown, and its fault is told', async (_, answer, fault) => {
  const { outcome, again, asked, summaries, runId } = await compact(() => answer);
  expect(await outcome).toEqual({ failure: expect.stringContaining(fault) });
  expect(await again()).toEqual(await outcome);
  expect(asked).toHaveLength(1);
  expect(await summaries()).toMatchObject([{ shown: null, written: answer.text }]);
  const { summary, messages } = await readConversation(database, runId);
  expect([summary, messages.length]).toEqual([null, 6]);
  expect(await readUsage(database, runId)).toMatchObject([{ summaryUpTo: 4, outcome: 'ANSWERED' }]);
});

test('a conversation that is too long for the summarizer is given to it in fewer words', async () => {
  const { outcome, asked, summaries } = await compact((request) => {
    if (request.length > 14_000) throw new ModelError('Too long.', { code: 'ModelContextTooLong' });
    return { text: 'They greeted.' };
  });
  expect(await outcome).toEqual({});
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.at(-1)).toContain('characters left out');
  expect(await summaries()).toMatchObject([{ written: 'They greeted.' }]);
});

test('a busy summarizer is asked again by the retry, and nothing is stored before', async () => {
  let isBusy = true;
  const { outcome, again, summaries } = await compact(() => {
    if (isBusy) throw new ModelError('Later.', { code: 'ModelRateLimited', retryable: true, retryAfterMs: 1_500 });
    return { text: 'They greeted.' };
  });
  await expect(outcome).rejects.toMatchObject({ type: 'ModelRateLimited', nonRetryable: false });
  expect(await summaries()).toEqual([]);
  isBusy = false;
  expect(await again()).toEqual({});
  expect(await summaries()).toHaveLength(1);
});
