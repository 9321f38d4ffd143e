import { expect, test } from '@jest/globals';
import { createChatActivities } from '../../../activities/chat/chat.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { createChat, setChatAgent } from '../../../db/chats/chats.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import type { ChatAgent } from '../../../domain/project/settings.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const activities = createChatActivities({
  database,
  prompts: loadPrompts('/nowhere'),
  modelOf: () => 'test/chat',
  agents: {
    maxTurns: {},
    stuck: { sameCalls: 4 },
    chat: { toolCalls: 30, tokens: 100_000, idleMinutes: 10, extractMemories: false },
  },
} as unknown as Dependencies); // of the rest nothing is asked

const now = /\n\n\[It is (Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d \S+\.\]$/;

test.each([
  ['of the shipped agent', undefined],
  ["of an agent of one's own", { name: 'planner', hash: 'h', instructions: 'You plan.', limits: {} } as ChatAgent],
])("the model %s is told the day, apart from the person's words", async (who, agent) => {
  const chatId = `chat-${who.length}`;
  await createChat(database, { id: chatId, name: who, memory: false });
  if (agent) await setChatAgent(database, chatId, agent);
  for (const id of ['one', 'two']) {
    await activities.keepChatMessage({ chatId, id, text: `Remind me on Friday, ${id}.` });
    const begun = await activities.beginExchange({ chatId });
    expect(begun.turn).toMatchObject({ id, limits: { modelCalls: 15, toolCalls: 30, stuck: { sameCalls: 4 } } });
    expect(await activities.beginExchange({ chatId })).toEqual(begun);
    await activities.endExchange({ chatId, id, status: 'ANSWERED' });
  }
  const runId = `${chatId}-r1`;
  const stored = (await readMessages(database, runId)).map(({ content }) => content);
  expect(stored.slice(1)).toEqual(
    ['one', 'two'].map((id) => ({
      text: expect.stringMatching(new RegExp(`^Remind me on Friday, ${id}\\.${now.source}`)),
      said: `Remind me on Friday, ${id}.`,
    })),
  );
  expect(stored[0]?.text).not.toMatch(/\d{4}-\d\d-\d\d/);
  const said = ['Remind me on Friday, one.', 'Remind me on Friday, two.'];
  expect((await readHistory(database, chatId)).map((one) => one.said)).toEqual(said);
  expect((await readRecentExchanges(database, { chatId, limit: 5 })).map((one) => one.said)).toEqual(said);
});
