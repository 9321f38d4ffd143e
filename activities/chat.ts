import { rm } from 'node:fs/promises';
import { turnLimit } from '../agents/run-limits.ts';
import { findChat, resolveChat } from '../db/chats/chats.ts';
import {
  type BegunExchange,
  beginExchange as beginExchangeRow,
  endExchange as endExchangeRow,
  findNextExchange,
  keepExchange,
} from '../db/chats/exchanges.ts';
import type { ExchangeStatus } from '../db/statuses.ts';
import type { ChatLimits } from '../workflows/chat-limits.ts';
import type { Dependencies } from './dependencies.ts';
import { recallForChat } from './recall-for-chat.ts';

/** A message that is to be answered now. */
export interface ChatTurn extends BegunExchange {
  limits: ChatLimits;
}

/** The activities of a chat beside those of its runs; keyed by the message's id, so that each may be done again. */
export function createChatActivities(dependencies: Dependencies) {
  const { database, agents, prompts, modelOf } = dependencies;
  return { keepChatMessage, beginExchange, endExchange, releaseChatSandbox };

  async function keepChatMessage(message: { chatId: string; id: string; text: string }): Promise<void> {
    await keepExchange(database, message);
  }

  /** Begins to answer the next message, where there is one. */
  async function beginExchange({
    chatId,
  }: {
    chatId: string;
  }): Promise<{ turn: ChatTurn | null; idleMinutes: number }> {
    const { toolCalls, tokens, idleMinutes } = agents.chat;
    const limits = { modelCalls: turnLimit('chat', {}, agents.maxTurns).value, toolCalls, tokens };
    for (;;) {
      const chat = await resolveChat(database, chatId);
      const next = await findNextExchange(database, chatId);
      if (!next) return { turn: null, idleMinutes };
      const recalled =
        next.status === 'WAITING'
          ? await recallForChat(dependencies, { chatId, runId: chat.headRunId, text: next.text })
          : undefined;
      const begun = await beginExchangeRow(database, next, {
        instructions: prompts.render('chat', { turns: String(limits.modelCalls) }),
        model: modelOf('chat', chat.model === null ? {} : { models: { chat: chat.model } }),
        recalled,
      });
      if (begun) return { turn: { ...begun, limits }, idleMinutes };
      // It ended meanwhile: the next one is meant.
    }
  }

  async function endExchange(ending: {
    chatId: string;
    id: string;
    status: ExchangeStatus;
    reason?: string;
  }): Promise<void> {
    await endExchangeRow(database, ending);
  }

  async function releaseChatSandbox({ chatId, discard }: { chatId: string; discard?: boolean }): Promise<void> {
    if (!discard) return dependencies.sandboxes.release(chatId);
    if (await findChat(database, chatId)) return; // it is there after all
    await rm(dependencies.chatFolder(chatId), { recursive: true, force: true });
    await dependencies.sandboxes.close(chatId);
  }
}
