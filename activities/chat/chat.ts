import { log } from '@temporalio/activity';
import { turnLimit } from '../../agents/run-limits.ts';
import type { ChatRow } from '../../db/chats/chat-transaction.ts';
import { resolveChat } from '../../db/chats/chats.ts';
import { listDeletedChats } from '../../db/chats/delete-chat.ts';
import {
  type BegunExchange,
  beginExchange as beginExchangeRow,
  endExchange as endExchangeRow,
  keepExchange,
} from '../../db/chats/exchanges.ts';
import { findDueTurn } from '../../db/chats/extractions.ts';
import { findNextExchange } from '../../db/chats/find-exchange.ts';
import { findChatFolder } from '../../db/files/chat-folders.ts';
import { readGiven } from '../../db/made-tools/offered-tools.ts';
import { type ChatLimits, limitsOfAgent } from '../../domain/chat/limits.ts';
import { modelsOfChat } from '../../domain/model/model-of-role.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeInstructions } from '../instructions/describe-instructions.ts';
import { sourceOfTexts } from '../instructions/instruction-source.ts';
import { describeNow } from './describe-time.ts';
import { discardChat } from './discard-chat.ts';
import { recallForChat } from './recall-for-chat.ts';

/** A message to answer now. */
export interface ChatTurn extends BegunExchange {
  limits: ChatLimits;
  /** Set in a conversation without memory. */
  memory?: false;
}

/** The activities of a chat, except those of its runs; keyed by the message's id, so that each can be repeated. */
export function createChatActivities(dependencies: Dependencies) {
  const { database, agents, prompts, modelOf } = dependencies;
  return { keepChatMessage, beginExchange, endExchange, releaseChatSandbox };

  async function keepChatMessage(message: { chatId: string; id: string; text: string }): Promise<void> {
    await keepExchange(database, message);
  }

  /**
   * Begins to answer the next message; urgent ones come first. If none waits, says whether memories are due to be extracted from a turn.
   */
  async function beginExchange({
    chatId,
    urgent,
  }: {
    chatId: string;
    urgent?: string[];
  }): Promise<{ turn: ChatTurn | null; idleMinutes: number; extractMemories?: true }> {
    const { stuck } = agents;
    const { toolCalls, tokens, idleMinutes, extractMemories } = agents.chat;
    for (;;) {
      const chat = await resolveChat(database, chatId);
      const ofChats = { modelCalls: turnLimit('chat', {}, agents.maxTurns).value, toolCalls, tokens, stuck };
      const limits = { ...ofChats, ...chat.agent?.limits, ...(chat.agent && { origin: limitsOfAgent(chat.agent) }) };
      const next = await findNextExchange(database, chatId, urgent);
      if (!next) {
        const isDue = extractMemories && (await findDueTurn(database, chatId)) !== undefined;
        return { turn: null, idleMinutes, ...(isDue && { extractMemories: true }) };
      }
      const instructions = await instructionsOf(chat, limits.modelCalls);
      const recalled =
        next.status === 'WAITING' && chat.memory
          ? await recallForChat(dependencies, { chatId, runId: chat.headRunId, text: next.text })
          : undefined;
      const failure = recalled?.failure;
      if (failure) log.warn('Memory search failed; the message is answered without memories.', { failure });
      const begun = await beginExchangeRow(database, next, {
        instructions,
        model: modelOf('chat', modelsOfChat(chat)),
        given: await givenTo(chat.agent, instructions),
        moment: describeNow(next.createdAt),
        recalled,
      });
      if (begun) return { turn: { ...begun, limits, ...(!chat.memory && { memory: false }) }, idleMinutes };
      // The exchange ended meanwhile: look for the next one.
    }
  }

  async function instructionsOf({ id, agent, memory }: ChatRow, modelCalls: number): Promise<string> {
    const turns = String(modelCalls);
    const parts = [
      agent
        ? prompts.renderInstructions('own-agent', { instructions: agent.instructions, turns })
        : prompts.renderInstructions('chat', { turns }),
    ];
    const copied = await findChatFolder(database, id);
    const readsSkills = !agent?.tools || agent.tools.includes('read_skill');
    if (copied || readsSkills)
      parts.push((await describeInstructions(dependencies, copied && sourceOfTexts(copied.instructions))).text);
    if (copied) parts.push(prompts.render('chat-with-folder', { folder: copied.folder }));
    if (!memory) parts.push(prompts.render('chat-without-memory', {}));
    return parts.filter(Boolean).join('\n\n');
  }

  /** Made tools and the agent, as they are when the answer begins. */
  async function givenTo(agent: ChatAgent | null, instructions: string) {
    const { made, tools } = await readGiven(database, agent);
    const madeTools = made.map(({ id }) => id);
    if (!agent) return { madeTools, agent: null };
    const { name, hash } = agent;
    return { madeTools, agent: { name, hash, instructions, ...(tools && { tools }) } };
  }

  async function endExchange(ending: {
    chatId: string;
    id: string;
    status: ExchangeStatus;
    reason?: string;
  }): Promise<void> {
    await endExchangeRow(database, { ...ending, extract: agents.chat.extractMemories });
  }

  async function releaseChatSandbox({ chatId, discard }: { chatId: string; discard?: boolean }): Promise<void> {
    if (!discard) return dependencies.sandboxes.release(chatId);
    const deleted = await listDeletedChats(database);
    if (deleted.includes(chatId)) await discardChat(dependencies, chatId);
  }
}
