import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentFile } from '../../agents/own-agents/agent-file.ts';
import { listBranches, sayInstead } from '../../db/chats/branches.ts';
import type { ChatRow } from '../../db/chats/chat-transaction.ts';
import { createChat, findChat, renameChat, resolveChat, setChatAgent, setChatModel } from '../../db/chats/chats.ts';
import { deleteChat } from '../../db/chats/delete-chat.ts';
import { expectMessage, findFirstEvent, findNextExchange, keepExchange } from '../../db/chats/exchanges.ts';
import { forkChat } from '../../db/chats/fork-chat.ts';
import { readHistory } from '../../db/chats/read-history.ts';
import { BranchError } from '../../db/errors.ts';
import type { ChatAgent } from '../../db/shapes.ts';
import { sumUsage } from '../../db/transcript/transcript.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { createChatId, slugOf } from '../project/project-id.ts';
import type { ChatStreamEvent } from './chat-event.ts';
import type { ChatHandle, SayOptions, WatchChatOptions } from './chat-handle.ts';
import { createChatWorkflow } from './chat-workflow.ts';
import { watchChat } from './watch-chat.ts';

export interface ChatDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  /** The folder that the name or path of an agent means. */
  findAgent(reference: string): Promise<string>;
  environment: Record<string, string | undefined>;
}

/** The handle of a chat that exists, or of one that its first message creates under a name, or under one made of its words. */
export function createChatHandle(
  deps: ChatDependencies,
  known: { row: ChatRow } | { name: string | undefined; memory?: boolean },
): ChatHandle {
  const { database } = deps;
  let row = 'row' in known ? known.row : undefined;
  let name = 'row' in known ? known.row.name : known.name;
  const memory = 'row' in known ? known.row.memory : (known.memory ?? true);
  /** Chosen before the first message. */
  let model: string | null = null;
  let agent: ChatAgent | undefined;

  async function ensure(words: string): Promise<ChatRow> {
    row ??= await database.use(async (query) => {
      const free = name ?? (await findFreeName(slugOf(words)));
      return createChat(query, {
        id: createChatId(slugOf(free)),
        name: free,
        memory,
        ...(model !== null && { model }),
        ...(agent && { agent }),
      });
    });
    ({ name } = row);
    return row;
  }

  async function findFreeName(slug: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const tried = count === 1 ? slug : `${slug}-${count}`;
      if (!(await database.use((query) => findChat(query, tried)))) return tried;
    }
  }

  const workflowOf = ({ id, name: called }: ChatRow) => createChatWorkflow(deps.temporal, deps.taskQueue, id, called);

  async function keep(
    text: string,
    { id = randomUUID(), now, instead }: SayOptions,
  ): Promise<{ id: string; chat: ChatRow; after: number }> {
    expectMessage(text); // before it creates a chat
    const chat = await ensure(text);
    await readAgentAgain(chat);
    const message = { chatId: chat.id, id, text };
    await database.use((query) =>
      instead === undefined ? keepExchange(query, message) : sayInstead(query, { ...message, instead }),
    );
    const first = await database.use((query) => findFirstEvent(query, chat.id, id));
    await workflowOf(chat).wake({ goesOn: true, ...(now && { now: id }) });
    return { id, chat, after: first - 1 };
  }

  /** What was edited since the last message is taken with this one; a folder that is not on this machine stays what it was. */
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
    kept: ReturnType<typeof keep>,
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
    const isNew = !row;
    while (!row && !signal?.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
    if (!row) return;
    const { id } = row;
    if (isNew) return yield* watchChat(database, id, { ...options, after: 0 });
    const open = from === 'open' ? await database.use((query) => findNextExchange(query, id)) : undefined;
    const after = open
      ? (await database.use((query) => findFirstEvent(query, id, open.id))) - 1
      : ((await database.use((query) => findChat(query, id)))?.eventCount ?? 0);
    yield* watchChat(database, id, { ...options, after });
  }

  return {
    get name() {
      return name;
    },
    get id() {
      return row?.id;
    },
    memory,
    send(text, { id, now, instead, ...options } = {}) {
      const kept = keep(text, { id, now, instead });
      kept.catch(() => {}); // who looks at the answer hears of it
      return answerTo(kept, options);
    },
    say: async (text, options = {}) => (await keep(text, options)).id,
    watch: (options = {}) => watch(options),
    async stop(message) {
      if (row) await workflowOf(row).stop(message === undefined ? {} : { message });
    },
    pause: () => withRow(false, (chat) => workflowOf(chat).pause()),
    resume: () => withRow(undefined, (chat) => workflowOf(chat).wake({ goesOn: true })),
    async wake() {
      if (row) await workflowOf(row).wake({});
    },
    history: ({ branch } = {}) => withRow([], ({ id }) => database.use((query) => readHistory(query, id, branch))),
    branches: () =>
      withRow([], ({ id }) => database.use(async (query) => listBranches(query, await resolveChat(query, id)))),
    async fork(given) {
      if (!row) throw new BranchError('Nothing was said yet, so there is nothing to fork.');
      const chatId = row.id;
      const called = given ?? (await findFreeName(`${name}-fork`));
      const fork = await database.use((query) =>
        forkChat(query, chatId, { id: createChatId(slugOf(called)), name: called }),
      );
      return createChatHandle(deps, { row: fork });
    },
    usage: () => database.use((query) => sumUsage(query, { chatId: row?.id ?? '' })),
    async setModel(chosen) {
      model = chosen;
      await withRow(undefined, ({ id }) => database.use((query) => setChatModel(query, id, chosen)));
    },
    async setAgent(reference) {
      const { loadAgent } = await import('../agents/load-agent.ts');
      const chosen = await loadAgent(deps, await deps.findAgent(reference));
      agent = chosen;
      await withRow(undefined, ({ id }) => database.use((query) => setChatAgent(query, id, chosen)));
    },
    async rename(next) {
      await withRow(undefined, ({ id }) => database.use((query) => renameChat(query, id, next)));
      name = next;
    },
    async delete() {
      await withRow(undefined, async (chat) => {
        await workflowOf(chat).terminate('The chat is deleted.');
        await database.use((query) => deleteChat(query, chat.id));
        await workflowOf(chat).discard();
      });
      row = undefined;
    },
  };

  /** Of a chat that is not there yet there is nothing to read or change. */
  async function withRow<Result>(otherwise: Result, work: (chat: ChatRow) => Promise<Result>): Promise<Result> {
    return row ? work(row) : otherwise;
  }
}
