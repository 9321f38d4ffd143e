import { isSaidIn, readBranchRanges } from '../db/chats/branch-ranges.ts';
import type { Database } from '../db/database.ts';
import type { FoundMemory } from '../db/memory/search/memory-query.ts';

/** Leaves out what was remembered for a chat alone in a branch that it has left. */
export async function keepInBranch(database: Database, runId: string, found: FoundMemory[]): Promise<FoundMemory[]> {
  const isOfOther = ({ scope, source }: FoundMemory) =>
    scope === 'session' && source.run !== undefined && source.run !== runId && source.message !== undefined;
  if (!found.some(isOfOther)) return found;
  const ranges = await readBranchRanges(database, runId);
  return found.filter((memory) => {
    const { run = null, message = null } = memory.source;
    return !isOfOther(memory) || isSaidIn(ranges, { runId: run, messageNumber: message });
  });
}
