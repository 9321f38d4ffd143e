import { expect, test } from '@jest/globals';
import { createCompactRun } from '../../../activities/compaction/compact-run.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { runs } from '../../../db/schema/runs.ts';
import { readSummaries } from '../../../db/transcript/summaries.ts';
import { writeMessage } from '../../../db/transcript/transcript.ts';
import type { Message } from '../../../domain/run/message.ts';
import { createModels } from '../../../models/create-models.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

test('a refused message reaches neither the summarizer nor the summary', async () => {
  const [chatId, runId] = ['chat-refused', 'chat-refused-r1'];
  await createChat(database, { id: chatId, name: 'refused', memory: false });
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
  let sent = '';
  const usage = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  const models = createModels({
    providers: {},
    own: [
      {
        name: 'mine',
        async complete({ messages }) {
          sent = JSON.stringify(messages);
          return { text: 'They greeted.', toolCalls: [], finish: 'done', usage, firstTokenMs: 1, requestId: null };
        },
      },
    ],
  });
  const compactRun = createCompactRun({
    database,
    models,
    prompts: loadPrompts('/nowhere'),
    callSettingsOf: () => ({}),
    modelOf: () => 'mine/m',
  } as unknown as Dependencies); // of the rest nothing is asked
  const run = { owner: { kind: 'chat' as const, id: chatId }, runId, role: 'chat' as const, maxTurns: 5 };
  expect(await inActivity(() => compactRun({ ...run, turn: 3, upToMessage: 4, why: 'a test' }))).toEqual({});
  expect(sent).toContain('Hello.');
  expect(sent).not.toContain('bad');
  const [summary] = await readSummaries(database, runId);
  expect(summary?.shown).toContain('Hello.');
  expect(summary?.shown).not.toContain('bad');
});
