import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentFile } from '../../agents/own-agents/parse-agent.ts';
import type { ReadSettings } from '../../config/load-configuration.ts';
import { listBranches, sayInstead } from '../../db/chats/branches.ts';
import type { ChatRow } from '../../db/chats/chat-transaction.ts';
import { findChat, renameChat, resolveChat, setChatAgent } from '../../db/chats/chats.ts';
import { deleteChat } from '../../db/chats/delete-chat.ts';
import { expectMessage, keepExchange } from '../../db/chats/exchanges.ts';
import { findFirstEvent, findNextExchange, findStoppable } from '../../db/chats/find-exchange.ts';
import { forkChat } from '../../db/chats/fork-chat.ts';
import { readHistory } from '../../db/chats/read-history.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { readRunsOfChat } from '../../db/transcript/transcript.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import type { WakeRequest } from '../../domain/chat/messages.ts';
import { modelsOfChat } from '../../domain/model/model-of-role.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError, isUnreachable } from '../errors.ts';
import { poll } from '../events/poll.ts';
import { createChatId } from '../project/project-id.ts';
import { expectModelNames } from '../start/check-settings.ts';
import type { ChatHandle, ChatStreamEvent, SayOptions, WatchChatOptions } from './chat-handle.ts';
import { createChatRow, findFreeName, forkNameOf, type NewChat } from './chat-row.ts';
import { createChatWorkflow } from './chat-workflow.ts';
import { createFilesOfChat } from './files-of-chat.ts';
import { toStoredImages } from './message-images.ts';
import { watchChat } from './watch-chat.ts';

/**
 * Until the chat exists, the database is queried at every tenth 50 ms look, i.e. every 500 ms; a chat that this process creates is noticed within 50
 * ms.
 */
const looksEvery = 10;

export interface ChatDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  /** The folder of an agent given by name or path. */
  findAgent(reference: string): Promise<string>;
  settings: ReadSettings;
  /** Longhaul's data folder. */
  home: string;
  environment: Record<string, string | undefined>;
}

/** The handle of an existing chat, or of one that its first message will create under the given name or one derived from its words. */
export function createChatHandle(deps: ChatDependencies, known: { row: ChatRow } | NewChat): ChatHandle {
  const { database } = deps;
  const its = createChatRow(database, known);
  const workflowOf = ({ id, name: called }: ChatRow) => createChatWorkflow(deps.temporal, deps.taskQueue, id, called);

  interface KeptMessage {
    id: string;
    chat: ChatRow;
    /** The number of the last event before the message's own. */
    after: number;
    /** The wake-up for the chat's workflow. */
    news: WakeRequest;
  }
  /** The wake-up still due because Temporal was unreachable. */
  let missed: WakeRequest = {};

  async function keep(text: string, { id = randomUUID(), now, instead, images }: SayOptions): Promise<KeptMessage> {
    expectMessage(text); // so that an unusable message creates no chat
    const stored = toStoredImages(images ?? []);
    const chat = await its.ensure(text);
    await readAgentAgain(chat);
    const message = { chatId: chat.id, id, text, images: stored };
    await database.use((query) =>
      instead === undefined ? keepExchange(query, message) : sayInstead(query, { ...message, instead }),
    );
    const first = await database.use((query) => findFirstEvent(query, chat.id, id));
    return { id, chat, after: first - 1, news: { message: id, goesOn: true, ...(now && { now: id }) } };
  }

  async function say(text: string, options: SayOptions): Promise<string> {
    const { id, chat, news } = await keep(text, options);
    try {
      await workflowOf(chat).wake(news);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      missed = { ...missed, ...news };
      const kept = 'Your message is stored and will be answered when the chat runs again: do not send it again.';
      throw new ClientError('MessageWaits', `${kept} ${error.message}`, { cause: error });
    }
    return id;
  }

  /** Wakes the chat's workflow, waiting for Temporal if it is unreachable; true once it was woken. */
  function wakeWhenThere(chat: ChatRow, news: () => WakeRequest, options?: WatchChatOptions) {
    const wake = async () => {
      await workflowOf(chat).wake(news()); // evaluated at each attempt, since more messages may have come
      return true;
    };
    return poll(wake, options);
  }

  /** Stores a message and wakes the chat's workflow, waiting for Temporal if it is unreachable. */
  async function send(text: string, said: SayOptions, options: WatchChatOptions): Promise<KeptMessage> {
    const kept = await keep(text, said);
    await wakeWhenThere(kept.chat, () => kept.news, options);
    return kept;
  }

  /** Stores the agent's folder again if it was edited since the last message; if it is not on this machine, the stored version stays. */
  async function readAgentAgain(chat: ChatRow): Promise<void> {
    const stored = (await database.use((query) => findChat(query, chat.id)))?.agent;
    if (!stored || !existsSync(join(stored.folder, agentFile))) return;
    const { readAgentFolder } = await import('../agents/agent-folder.ts');
    if (readAgentFolder(stored.folder).hash === stored.hash) return;
    const { loadAgent } = await import('../agents/load-agent.ts');
    const now = await loadAgent(deps, stored.folder);
    await database.use((query) => setChatAgent(query, chat.id, now));
  }

  async function* answerTo(
    kept: Promise<KeptMessage>,
    options: WatchChatOptions,
  ): AsyncGenerator<ChatStreamEvent, void> {
    const { id, chat, after } = await kept;
    for await (const event of watchChat(database, chat.id, { ...options, after })) {
      if (event.message !== id) continue;
      yield event;
      if (event.type === 'answer' || event.type === 'failure') return;
    }
  }

  async function* watch({ from = 'now', ...options }: WatchChatOptions & { from?: 'now' | 'open' }) {
    const { signal } = options;
    const isNew = !its.row;
    for (let waits = 0; !its.row && !signal?.aborted; waits += 1) {
      // With null `poll` queries only once, yet still waits for an unreachable database.
      if (waits % looksEvery === looksEvery - 1) await poll(async () => (await its.find()) ?? null, options);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!its.row) return;
    const { id } = its.row;
    if (isNew) return yield* watchChat(database, id, { ...options, after: 0 });
    const open = from === 'open' ? await database.use((query) => findNextExchange(query, id)) : undefined;
    const after = open
      ? (await database.use((query) => findFirstEvent(query, id, open.id))) - 1
      : ((await database.use((query) => findChat(query, id)))?.eventCount ?? 0);
    yield* watchChat(database, id, { ...options, after });
  }

  return {
    get name() {
      return its.name;
    },
    get id() {
      return its.row?.id;
    },
    memory: its.memory,
    ...createFilesOfChat(deps, its, workflowOf),
    async begin(words) {
      await its.ensure(words);
    },
    send(text, { id, now, instead, images, ...options } = {}) {
      const kept = send(text, { id, now, instead, images }, options);
      kept.catch(() => {}); // the reader of the answer gets the error
      return answerTo(kept, options);
    },
    say: (text, options = {}) => say(text, options),
    watch: (options = {}) => watch(options),
    async stop(message) {
      const chat = await its.find();
      if (!chat) return;
      const { id: chatId } = chat;
      // By id, so that it cannot stop a message sent while the signal is on its way.
      const meant =
        message === undefined ? await database.use((query) => findStoppable(query, chatId)) : { id: message };
      if (meant !== 'nothing') await workflowOf(chat).stop(meant === 'unsure' ? {} : { message: meant.id });
    },
    pause: () => withRow(false, (chat) => workflowOf(chat).pause()),
    resume: () => withRow(undefined, (chat) => workflowOf(chat).wake({ goesOn: true })),
    async wake(options) {
      if (its.row && (await wakeWhenThere(its.row, () => missed, options))) missed = {};
    },
    history: (part) => withRow([], ({ id }) => database.use((query) => readHistory(query, id, part))),
    runs: () => withRow([], ({ id }) => database.use((query) => readRunsOfChat(query, id))),
    branches: () =>
      withRow([], ({ id }) => database.use(async (query) => listBranches(query, await resolveChat(query, id)))),
    async fork(given) {
      const begun = await its.find();
      if (!begun)
        throw new DatabaseError('BranchUnusable', 'The chat has no messages yet, so there is nothing to fork.');
      const chatId = begun.id;
      const called = given ?? (await findFreeName(database, forkNameOf(begun.name)));
      const fork = await database.use((query) => forkChat(query, chatId, { id: createChatId(called), name: called }));
      return createChatHandle(deps, { row: fork });
    },
    async usage() {
      const begun = await its.find();
      return database.use((query) => sumUsage(query, { chatId: begun?.id ?? '' }));
    },
    async setModel(chosen) {
      if (chosen !== null) expectModelNames(chosen);
      await its.chooseModel(chosen);
    },
    model: async () => (await readChoices()).model,
    async models() {
      const { modelOf } = await import('../../domain/model/model-of-role.ts');
      const { model } = await deps.settings();
      return modelOf(model, 'chat', modelsOfChat(await readChoices())).value || 'none';
    },
    async setAgent(chosen) {
      if (typeof chosen !== 'string') return its.chooseAgent(chosen);
      const { loadAgent } = await import('../agents/load-agent.ts');
      await its.chooseAgent(await loadAgent(deps, await deps.findAgent(chosen)));
    },
    agent: async () => (await readChoices()).agent,
    async tools() {
      const { listChatTools } = await import('./list-chat-tools.ts');
      const { agents: settings } = await deps.settings();
      const { agent } = await readChoices();
      return database.use((query) => listChatTools(query, { agent, memory: its.memory }, settings));
    },
    async rename(next) {
      await withRow(undefined, ({ id }) => database.use((query) => renameChat(query, id, next)));
      its.renamed(next);
    },
    async delete() {
      await withRow(undefined, async (chat) => {
        await workflowOf(chat).terminate('The chat is deleted.');
        await database.use((query) => deleteChat(query, chat.id));
        await workflowOf(chat).discard();
      });
      its.deleted();
    },
  };

  /** The model and agent for the next message: as stored, or as chosen for a chat that does not exist yet. */
  async function readChoices(): Promise<Pick<ChatRow, 'model' | 'agent'>> {
    const begun = await its.find();
    if (begun) return database.use((query) => resolveChat(query, begun.id));
    const { model, agent = null } = its.chosen;
    return { model, agent };
  }

  /** Does the work with the chat's row, or returns `otherwise` if the chat does not exist yet. */
  async function withRow<Result>(otherwise: Result, work: (chat: ChatRow) => Promise<Result>): Promise<Result> {
    const chat = await its.find();
    return chat ? work(chat) : otherwise;
  }
}
