import { and, asc, eq } from 'drizzle-orm';
import type { StoredImage } from '../../domain/chat/images.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { storeImages } from '../files/images.ts';
import { runs } from '../schema/runs.ts';
import { beginBranch } from './begin-branch.ts';
import { isSaidIn, readBranchRanges } from './branch-ranges.ts';
import { type ChatRow, type ChatTransaction, inChat } from './chat-transaction.ts';
import { addExchange } from './exchanges.ts';
import { type ExchangeRow, findExchange, hasOpenExchange, readExchanges } from './find-exchange.ts';

/** One line of a conversation; asking again or changing a message starts another. */
export interface ChatBranch {
  /** The name to address it by, such as `r2`. */
  name: string;
  /** The branch that it continues; null for the first one, and for the first of a fork. */
  continues: string | null;
  /** Whether new messages continue it. */
  current: boolean;
  /** Number of the person's messages, including those from before it began. */
  messages: number;
  /** Text of the first message of its own; null if there is none yet. */
  begins: string | null;
  createdAt: Date;
}

/**
 * Says something in place of an earlier message: a new branch begins before that message and becomes the current one. What was said since stays in
 * the branch it was said in. Idempotent by `id`.
 * @throws {DatabaseError} `BranchUnusable` while something is being answered, or if there is no such answered message.
 * @throws {DatabaseError} `MessageUnusable` if the text is empty or too long.
 */
export async function sayInstead(
  database: Database,
  {
    chatId,
    instead,
    id,
    text,
    images: given,
  }: { chatId: string; instead: string; id: string; text: string; images?: StoredImage[] | undefined },
): Promise<ExchangeRow> {
  return inChat(database, chatId, async (transaction) => {
    const { query } = transaction;
    const earlier = await findExchange(query, chatId, id);
    if (earlier) return earlier;
    await expectRest(transaction, 'start a branch');
    const left = await findExchange(query, chatId, instead);
    if (!left || left.runId === null || left.messageNumber === null || left.turn === null) {
      throw new DatabaseError(
        'BranchUnusable',
        `Expected an answered message of this chat, found none with the id "${instead}".`,
      );
    }
    const { runId, messageNumber, turn } = left;
    const { headRunId } = await beginBranch(transaction, { runId, number: messageNumber, turn });
    // The same words are asked again with their pictures.
    const kept = text === left.text ? (left.images ?? []) : [];
    const images = given?.length ? await storeImages(query, chatId, given) : kept;
    return addExchange(transaction, { id, text, branch: branchName(chatId, headRunId ?? ''), images });
  });
}

/** @throws {DatabaseError} `BranchUnusable` while a message is unanswered. */
export async function expectRest({ query, chat }: ChatTransaction, what: string): Promise<void> {
  if (!(await hasOpenExchange(query, chat.id))) return;
  throw new DatabaseError(
    'BranchUnusable',
    `Could not ${what} while an answer is running. Wait for it, or stop it with Ctrl-C.`,
  );
}

/** In order of creation. */
export async function listBranches(query: Queryable, chat: ChatRow): Promise<ChatBranch[]> {
  const [said, rows] = await Promise.all([readExchanges(query, chat.id), readRunsOfChat(query, chat.id)]);
  return Promise.all(
    rows.map(async ({ id, continuesId, startedAt }): Promise<ChatBranch> => {
      const ranges = await readBranchRanges(query, id);
      const own = said.find(({ runId }) => runId === id) ?? said.find(({ runId }) => runId === null);
      return {
        name: branchName(chat.id, id),
        continues: continuesId === null ? null : branchName(chat.id, continuesId),
        current: id === chat.headRunId,
        messages: said.filter((one) => isSaidIn(ranges, one)).length,
        begins: own?.text ?? null,
        createdAt: startedAt,
      };
    }),
  );
}

/**
 * The run of the named branch, by default of the current one, which is null before the first message.
 * @throws {DatabaseError} `BranchUnusable` listing the branches that exist.
 */
export async function resolveBranch(query: Queryable, chat: ChatRow, name?: string): Promise<string | null> {
  if (name === undefined) return chat.headRunId;
  const known = (await readRunsOfChat(query, chat.id)).map(({ id }) => branchName(chat.id, id));
  if (known.includes(name)) return `${chat.id}-${name}`;
  const hint = known.length ? `It has ${known.join(', ')}.` : 'It has none yet.';
  throw new DatabaseError('BranchUnusable', `The chat "${chat.name}" has no branch "${name}". ${hint}`);
}

/** Only the runs that a person talks with: delegated runs are not branches. */
function readRunsOfChat(query: Queryable, chatId: string) {
  return query
    .select()
    .from(runs)
    .where(and(eq(runs.chatId, chatId), eq(runs.role, 'chat')))
    .orderBy(asc(runs.startedAt), asc(runs.id));
}

function branchName(chatId: string, runId: string): string {
  return runId.slice(chatId.length + 1);
}
