import { eq, max } from 'drizzle-orm';
import type { Cut } from '../../domain/stores/rules/message-rules.ts';
import type { Database } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { copyImages } from '../files/images.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages } from '../schema/runs.ts';
import { findRun, insertMessage } from '../transcript/transcript.ts';
import { endOfRun, isSaidIn, readBranchRanges } from './branch-ranges.ts';
import { expectRest } from './branches.ts';
import { type ChatRow, inChat } from './chat-transaction.ts';
import { createChat } from './chats.ts';
import { copyRun } from './copy-run.ts';
import { readExchanges } from './find-exchange.ts';

/**
 * Creates a chat that begins with what was said in the current branch of another, up to a cut or all of it; from then on the two are independent. A note at the end tells its
 * agent what did not come along.
 * @throws {DatabaseError} `BranchUnusable` while something is being answered, or if nothing was said yet.
 * @throws {DatabaseError} `ChatNameUnusable` if the name is taken.
 */
export async function forkChat(
  database: Database,
  chatId: string,
  { id, name, cut }: { id: string; name: string; cut?: Cut | undefined },
): Promise<ChatRow> {
  return inChat(database, chatId, async (transaction) => {
    const { query, chat } = transaction;
    await expectRest(transaction, 'fork the chat');
    const { headRunId, model, memory, agent, person, projectId } = chat;
    if (headRunId === null)
      throw new DatabaseError(
        'BranchUnusable',
        'The chat has no messages yet, so there is nothing to fork. /new starts a new one.',
      );
    const fork = await createChat(query, {
      id,
      name,
      ...{ memory, person, projectId, parentId: chatId },
      ...(model !== null && { model }),
      ...(agent && { agent }),
    });
    if (fork.id !== id)
      throw new DatabaseError('ChatNameUnusable', `Another chat is called "${name}". Choose another name.`);
    const { turns = 0 } = (await findRun(query, headRunId)) ?? {};
    const runId = `${id}-r1`;
    const { number: messageNumber, turn } = cut ?? { number: endOfRun, turn: turns + 1 };
    await copyRun(query, { runId: headRunId, messageNumber, turn }, { id: runId, chatId: id, isBranch: false });
    const [last] = await query
      .select({ number: max(messages.number) })
      .from(messages)
      .where(eq(messages.runId, runId));
    const place = { runId, number: (last?.number ?? -1) + 1, turn: Math.max(1, turn - 1) };
    await insertMessage(query, { ...place, role: 'user', content: { text: formatForkNote(chat.name), isNote: true } });
    await copyImages(query, chatId, id);
    const ranges = await readBranchRanges(query, headRunId);
    const said = (await readExchanges(query, chatId)).filter(
      (one) => isSaidIn(ranges, one) && (one.messageNumber ?? 0) < messageNumber,
    );
    // Their memories are extracted in the original chat only.
    const rows = said.map((one, index) => ({ ...one, chatId: id, runId, number: index + 1, extraction: null }));
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      await query.insert(exchanges).values(rows.slice(from, from + rowsAtOnce));
    }
    const [row] = await query
      .update(chats)
      .set({ headRunId: runId, exchangeCount: rows.length })
      .where(eq(chats.id, id))
      .returning();
    return row ?? fork;
  });
}

/** The copied conversation mentions files and notes, which a fork does not have. */
function formatForkNote(original: string): string {
  return `[Longhaul: this conversation was forked here from "${original}". Its messages were copied. The sandbox with its files and variables, and the memories and tasks that belong to "${original}" alone, were not: your /workspace is empty, and your interpreters are new.]`;
}

/** Postgres allows 65,535 parameters per statement. */
const rowsAtOnce = 1_000;
