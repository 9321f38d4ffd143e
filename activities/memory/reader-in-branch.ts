import { readBranchRanges } from '../../db/chats/branch-ranges.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Reader } from '../../db/memory/memory.ts';

/** A chat as a reader of memories in the branch of the given run: what was noted for the chat alone in another branch is not its own. */
export async function readerInBranch(database: Database, chatId: string, runId: string): Promise<Reader> {
  const ranges = await readBranchRanges(database, runId);
  return {
    sessionId: chatId,
    branch: ranges.map(({ runId: lineageId, before }) => ({ lineageId, upToSequence: before - 1 })),
  };
}
