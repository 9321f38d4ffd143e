import { rm } from 'node:fs/promises';
import { turnLimit } from '../agents/run-limits.ts';
import type { ChatRow } from '../db/chats/chat-transaction.ts';
import { findChat, resolveChat } from '../db/chats/chats.ts';
import { findDueTurn } from '../db/chats/distillations.ts';
import {
  type BegunExchange,
  beginExchange as beginExchangeRow,
  endExchange as endExchangeRow,
  findNextExchange,
  keepExchange,
} from '../db/chats/exchanges.ts';
import { findVersions } from '../db/made-tools/made-tools.ts';
import { readEnabledTools } from '../db/made-tools/offered-tools.ts';
import type { ChatAgent } from '../db/shapes.ts';
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
    for (;;) {
      const chat = await resolveChat(database, chatId);
      const ofChats = { modelCalls: turnLimit('chat', {}, agents.maxTurns).value, toolCalls, tokens };
      const limits = { ...ofChats, ...chat.agent?.limits };
      const next = await findNextExchange(database, chatId);
      if (!next) {
        const isDue = distil && (await findDueTurn(database, chatId)) !== undefined;
        return { turn: null, idleMinutes, ...(isDue && { distil: true }) };
      }
      const instructions = instructionsOf(chat, limits.modelCalls);
      const recalled =
        next.status === 'WAITING' && chat.memory
          ? await recallForChat(dependencies, { chatId, runId: chat.headRunId, text: next.text })
          : undefined;
      const begun = await beginExchangeRow(database, next, {
        instructions,
        model: modelOf('chat', namesModel(chat.model ?? chat.agent?.model)),
        given: await readGiven(chat.agent, instructions),
        recalled,
      });
      if (begun) return { turn: { ...begun, limits, ...(!chat.memory && { memory: false }) }, idleMinutes };
      // It ended meanwhile: the next one is meant.
    }
  }

  function instructionsOf({ agent, memory }: ChatRow, modelCalls: number): string {
    const turns = String(modelCalls);
    const instructions = agent
      ? prompts.render('own-agent', { instructions: agent.instructions, turns })
      : prompts.render('chat', { turns });
    return memory ? instructions : `${instructions}\n\n${prompts.render('chat-without-memory', {})}`;
  }

  /** Made tools and agent, as they are when the answer begins; those of the agent's folder go before others of their names. */
  async function readGiven(agent: ChatAgent | null, instructions: string) {
    const own = await findVersions(database, agent?.madeTools ?? []);
    const names = new Set(own.map(({ name }) => name));
    const others = await findVersions(database, await readEnabledTools(database));
    const madeTools = [...own, ...others.filter(({ name }) => !names.has(name))].map(({ id }) => id);
    if (!agent) return { madeTools, agent: null };
    const { name, hash, tools } = agent;
    // What its folder has it was given on purpose.
    const given = tools && { tools: [...tools, ...names] };
    return { madeTools, agent: { name, hash, instructions, ...given } };
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

function namesModel(model: string | undefined): { models?: Record<string, string> } {
  return model === undefined ? {} : { models: { chat: model } };
}
