import type { ChatRow } from '../../db/chats/chat-transaction.ts';
import { createChat, findChat, maxNameLength, setChatAgent, setChatModel } from '../../db/chats/chats.ts';
import { DatabaseError } from '../../db/database-error.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';
import { joinWords } from '../../domain/slug.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { createChatId } from '../project/project-id.ts';

/** A chat that its first message creates. */
export interface NewChat {
  name: string | undefined;
  memory?: boolean;
  /** Never use a chat that got the name meanwhile. */
  fresh?: boolean;
  /** Whom and which project it belongs to, for `longhaul purge` and `longhaul export`. */
  person?: string;
  projectId?: string;
}

/** The row of one chat, which may not exist yet; others may create it at the same time. */
export interface FoundChat {
  readonly row: ChatRow | undefined;
  readonly name: string | undefined;
  readonly memory: boolean;
  /** The choices for a chat, also before it exists; they are stored with its first message. */
  readonly chosen: { readonly model: string | null; readonly agent: ChatAgent | null | undefined };
  /** The row, created under its name or under one made of these words. @throws {DatabaseError} `ChatNameUnusable` */
  ensure(words: string): Promise<ChatRow>;
  /** The row, also if another client has created the chat under its name meanwhile. */
  find(): Promise<ChatRow | undefined>;
  chooseModel(model: string | null): Promise<void>;
  chooseAgent(agent: ChatAgent | null): Promise<void>;
  renamed(name: string): void;
  deleted(): void;
}

export function createChatRow(database: DatabaseAccess, known: { row: ChatRow } | NewChat): FoundChat {
  let row = 'row' in known ? known.row : undefined;
  let name = 'row' in known ? known.row.name : known.name;
  const memory = 'row' in known ? known.row.memory : (known.memory ?? true);
  const { person, projectId } = 'row' in known ? {} : known;
  const owner = { ...(person !== undefined && { person }), ...(projectId !== undefined && { projectId }) };
  const isFresh = 'fresh' in known && known.fresh === true;
  /** The creation in progress, since several calls may need it at once. */
  let creating: Promise<ChatRow> | undefined;
  let model: string | null = null;
  let agent: ChatAgent | null | undefined;

  async function create(words: string): Promise<ChatRow> {
    const choices = { memory, ...owner, ...(model !== null && { model }), ...(agent && { agent }) };
    for (;;) {
      const free = name ?? (await findFreeName(database, chatNameOf(words)));
      const id = createChatId(free);
      const there = await database.use((query) => createChat(query, { id, name: free, ...choices }));
      if (there.id === id) return there;
      if (name === undefined) continue; // the name was taken meanwhile
      if (!isFresh && there.memory === memory) return adopt(there);
      throw new DatabaseError(
        'ChatNameUnusable',
        `Another command just created the conversation "${name}"${there.memory === memory ? '' : ` ${there.memory ? 'with' : 'without'} memory`}. Choose another name.`,
      );
    }
  }

  /** Choices made before the first message also hold if another client created the chat. */
  async function adopt(there: ChatRow): Promise<ChatRow> {
    const [chosenModel, chosenAgent] = [model, agent];
    await database.use(async (query) => {
      if (chosenModel !== null) await setChatModel(query, there.id, chosenModel);
      if (chosenAgent !== undefined) await setChatAgent(query, there.id, chosenAgent);
    });
    return there;
  }

  async function find(): Promise<ChatRow | undefined> {
    if (row || name === undefined || isFresh) return row;
    const called = name;
    const there = await database.use((query) => findChat(query, called));
    if (there?.memory === memory) row ??= await adopt(there);
    return row;
  }

  return {
    get row() {
      return row;
    },
    get name() {
      return name;
    },
    memory,
    get chosen() {
      return { model, agent };
    },
    async ensure(words) {
      if (row) return row;
      creating ??= create(words).finally(() => {
        creating = undefined;
      });
      row = await creating;
      ({ name } = row);
      return row;
    },
    find,
    async chooseModel(chosen) {
      model = chosen;
      const there = await find();
      if (there) await database.use((query) => setChatModel(query, there.id, chosen));
    },
    async chooseAgent(chosen) {
      agent = chosen;
      const there = await find();
      if (there) await database.use((query) => setChatAgent(query, there.id, chosen));
    },
    renamed(next) {
      name = next;
    },
    deleted() {
      row = undefined;
    },
  };
}

/** The name or, if it is taken, the name with a number. */
export async function findFreeName(database: DatabaseAccess, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}-${count}`;
    if (!(await database.use((query) => findChat(query, tried)))) return tried;
  }
}

/** A short name from the first words of a text, in the text's own script: `qué-hay` for `¿Qué hay?`. */
export function chatNameOf(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return joinWords(words) || 'chat';
}

/** Truncates a long name, between characters, so that a number can be appended. */
export function forkNameOf(name: string): string {
  const room = maxNameLength - '-fork-9999'.length;
  const cut = name.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}-fork`;
}
