import type {
  Branch,
  Conversation,
  ConversationMessage,
  ConversationStore,
  MessagePage,
  NewConversation,
  NewConversationMessage,
} from '../conversations.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import {
  endOf,
  expectConversationId,
  expectConversationName,
  nameTaken,
  placeMessages,
  unknownConversation,
  unusable,
} from '../rules/message-rules.ts';
import {
  begin,
  copyLine,
  cutOf,
  endOfLine,
  findKnown,
  type Kept,
  lineOf,
  messageAt,
  newLine,
  ownMessages,
  type Stored,
  toMessage,
} from './branch-lines.ts';

/** Keeps conversations as long as the process lives. Every method decides and writes without waiting in between. */
export class InMemoryConversationStore implements ConversationStore {
  readonly #kept = new Map<string, Kept>();

  async create(given: NewConversation = {}): Promise<Conversation> {
    return { ...this.#create(given).conversation };
  }

  async get(id: string): Promise<Conversation> {
    return { ...this.#find(id).conversation };
  }

  async list(filter: Parameters<ConversationStore['list']>[0] = {}): Promise<Conversation[]> {
    const { person, projectId, before, limit = Number.POSITIVE_INFINITY } = filter;
    return [...this.#kept.values()]
      .map(({ conversation }) => ({ ...conversation }))
      .filter((one) => person === undefined || one.person === person)
      .filter((one) => projectId === undefined || one.projectId === projectId)
      .filter((one) => before === undefined || one.lastUsedAt < before)
      .reverse()
      .sort((left, right) => Number(right.lastUsedAt) - Number(left.lastUsedAt))
      .slice(0, limit);
  }

  async rename(id: string, name: string): Promise<Conversation> {
    expectConversationName(name);
    const { conversation } = this.#find(id);
    if (name !== conversation.name) this.#expectFree(name);
    conversation.name = name;
    return { ...conversation };
  }

  async delete(id: string): Promise<boolean> {
    return this.#kept.delete(id);
  }

  async append(id: string, ...messages: NewConversationMessage[]): Promise<ConversationMessage[]> {
    return this.#append(this.#find(id), messages).map(toMessage);
  }

  async messages(id: string, { before, after, limit = 100, branch }: MessagePage = {}): Promise<ConversationMessage[]> {
    const { messages } = lineOf(this.#find(id), branch) ?? { messages: [] };
    const meant = messages
      .filter(({ number }) => (before === undefined || number < before) && (after === undefined || number > after))
      .map(toMessage);
    return after === undefined ? meant.slice(Math.max(0, meant.length - limit)) : meant.slice(0, limit);
  }

  async branches(id: string): Promise<Branch[]> {
    const { lines } = this.#find(id);
    return lines.map(({ name, continues, current, createdAt }) => ({ name, continues, current, createdAt }));
  }

  async branch(id: string, after: number): Promise<Conversation> {
    const kept = this.#find(id);
    begin(kept, cutOf(kept, after));
    return { ...kept.conversation };
  }

  async edit(id: string, number: number, text: string): Promise<ConversationMessage> {
    const kept = this.#find(id);
    const message = messageAt(kept, number);
    if (message.role !== 'user') throw unusable(`Message ${number} is not a person's, so it cannot be edited.`);
    return this.#sayInstead(kept, message, text);
  }

  async regenerate(id: string, number: number): Promise<ConversationMessage> {
    const kept = this.#find(id);
    const messages = lineOf(kept)?.messages ?? [];
    const asked = messages.findLast((one) => one.role === 'user' && one.number <= number);
    if (messageAt(kept, number).role === 'system' || !asked)
      throw unusable(`Message ${number} has no message before it to answer.`);
    return this.#sayInstead(kept, asked, asked.text);
  }

  async fork(
    id: string,
    { after, ...given }: { id?: string; name?: string; after?: number } = {},
  ): Promise<Conversation> {
    const kept = this.#find(id);
    const line = lineOf(kept);
    if (!line?.messages.length) throw unusable('The conversation has no messages yet, so there is nothing to fork.');
    const cut = after === undefined ? undefined : cutOf(kept, after);
    const { person, projectId } = kept.conversation;
    const owner = { ...(person !== null && { person }), ...(projectId !== null && { projectId }) };
    const isKnown = given.id !== undefined && this.#kept.has(given.id);
    const fork = this.#create({ ...given, ...owner });
    if (isKnown) return { ...fork.conversation };
    fork.conversation.parentId = id;
    fork.lines = [copyLine(line, { name: 'r1', continues: null, cut })];
    fork.conversation.branch = 'r1';
    return { ...fork.conversation };
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    const meant = [...this.#kept.values()].filter(({ conversation }) =>
      'before' in subject ? conversation.lastUsedAt < subject.before : isOwnedBy(conversation, subject),
    );
    return meant.map(({ conversation: { id, name }, lines }): Removed => {
      if (!dryRun) this.#kept.delete(id);
      const rows = lines.reduce((sum, line) => sum + ownMessages(line).length, 0);
      return { store: 'conversations', kind: 'conversation', id, what: name, rows };
    });
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    for (const { conversation, lines } of this.#kept.values()) {
      if (owner && !isOwnedBy(conversation, owner)) continue;
      yield { store: 'conversations', kind: 'conversation', row: { ...conversation } };
      for (const line of lines)
        for (const message of ownMessages(line)) {
          const row = { conversationId: conversation.id, branch: line.name, ...toMessage(message) };
          yield { store: 'conversations', kind: 'message', row };
        }
    }
  }

  #create({ id = `chat-${crypto.randomUUID()}`, name = id, person, projectId }: NewConversation): Kept {
    expectConversationId(id);
    expectConversationName(name);
    const known = this.#kept.get(id);
    if (known) return known;
    this.#expectFree(name);
    const now = new Date();
    const conversation: Conversation = {
      ...{ id, name, person: person ?? null, projectId: projectId ?? null, parentId: null, branch: null },
      ...{ createdAt: now, lastUsedAt: now },
    };
    const kept = { conversation, lines: [] };
    this.#kept.set(id, kept);
    return kept;
  }

  #find(id: string): Kept {
    const found = this.#kept.get(id);
    if (!found) throw unknownConversation(id);
    return found;
  }

  #expectFree(name: string): void {
    for (const { conversation } of this.#kept.values()) if (conversation.name === name) throw nameTaken(name);
  }

  #append(kept: Kept, messages: NewConversationMessage[]): Stored[] {
    const known = findKnown(kept, messages);
    if (known || !messages.length) return known ?? [];
    const line = lineOf(kept) ?? newLine('r1');
    const { placed, end } = placeMessages(endOfLine(line), messages, { isEmpty: !line.messages.length });
    const createdAt = new Date();
    const added = placed.map(({ message, number, turn }): Stored => {
      const { id = null, role, text } = message;
      const toolCalls = role === 'assistant' ? (message.toolCalls ?? []).map((call) => ({ ...call })) : [];
      const result = role === 'tool' ? { toolCallId: message.toolCallId, failed: message.failed ?? false } : noResult;
      return { number, turn, id, role, text, toolCalls, ...result, createdAt };
    });
    line.messages = [...line.messages, ...added].sort((left, right) => left.number - right.number);
    line.turns = end.turns;
    if (!kept.lines.length) kept.lines.push(line);
    Object.assign(kept.conversation, { branch: line.name, lastUsedAt: createdAt });
    return added;
  }

  #sayInstead(kept: Kept, { number, turn }: Stored, text: string): ConversationMessage {
    placeMessages(endOf([], 0), [{ role: 'user', text }], { isEmpty: false });
    begin(kept, { number, turn });
    return toMessage(this.#append(kept, [{ role: 'user', text }])[0] as Stored);
  }
}

const noResult = { toolCallId: null, failed: null };

function isOwnedBy({ id, person, projectId }: Conversation, owner: Owner): boolean {
  const isOfSession = owner.sessions?.includes(id) === true;
  return isOfSession || ('person' in owner ? person === owner.person : projectId === owner.project);
}
