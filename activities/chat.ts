import { rm } from 'node:fs/promises';
import { turnLimit } from '../agents/run-limits.ts';
import { findChat, resolveChat } from '../db/chats/chats.ts';
import { findDueTurn } from '../db/chats/distillations.ts';
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
  /** Set in a conversation that leaves no trace beyond its transcript. */
  memory?: false;
}

/** The activities of a chat beside those of its runs; keyed by the message's id, so that each may be done again. */
export function createChatActivities(dependencies: Dependencies) {
  const { database, agents, prompts, modelOf } = dependencies;
  return { keepChatMessage, beginExchange, endExchange, releaseChatSandbox };

  async function keepChatMessage(message: { chatId: string; id: string; text: string }): Promise<void> {
    await keepExchange(database, message);
  }

  /** Begins to answer the next message, where there is one; where not, tells whether turns are to be distilled meanwhile. */
  async function beginExchange({
    chatId,
  }: {
    chatId: string;
  }): Promise<{ turn: ChatTurn | null; idleMinutes: number; distil?: true }> {
    const { toolCalls, tokens, idleMinutes, distil } = agents.chat;
    const limits = { modelCalls: turnLimit('chat', {}, agents.maxTurns).value, toolCalls, tokens };
    for (;;) {
      const chat = await resolveChat(database, chatId);
      const next = await findNextExchange(database, chatId);
      if (!next) {
        const isDue = distil && (await findDueTurn(database, chatId)) !== undefined;
        return { turn: null, idleMinutes, ...(isDue && { distil: true }) };
      }
      const instructions = prompts.render('chat', { turns: String(limits.modelCalls) });
      const recalled =
        next.status === 'WAITING' && chat.memory
          ? await recallForChat(dependencies, { chatId, runId: chat.headRunId, text: next.text })
          : undefined;
      const begun = await beginExchangeRow(database, next, {
        instructions: chat.memory ? instructions : `${instructions}\n\n${prompts.render('chat-without-memory', {})}`,
        model: modelOf('chat', chat.model === null ? {} : { models: { chat: chat.model } }),
        recalled,
      });
      if (begun) return { turn: { ...begun, limits, ...(!chat.memory && { memory: false }) }, idleMinutes };
      // It ended meanwhile: the next one is meant.
    }
  }

  async function endExchange(ending: {
    chatId: string;
    id: string;
    status: ExchangeStatus;
    reason?: string;
  }): Promise<void> {
    await endExchangeRow(database, { ...ending, distil: agents.chat.distil });
  }

  async function releaseChatSandbox({ chatId, discard }: { chatId: string; discard?: boolean }): Promise<void> {
    if (!discard) return dependencies.sandboxes.release(chatId);
    if (await findChat(database, chatId)) return; // it is there after all
    await rm(dependencies.chatFolder(chatId), { recursive: true, force: true });
    await dependencies.sandboxes.close(chatId);
  }
}
