import { inArray } from 'drizzle-orm';
import { isToolName } from '../../agents/tools/tool-declarations.ts';
import { readBranchRanges } from '../../db/chats/branch-ranges.ts';
import type { Database } from '../../db/connection/database.ts';
import type { MemoryOrigin } from '../../db/memory/origin.ts';
import { toolCalls } from '../../db/schema/runs.ts';

/** Tools whose results hold what pages say. */
const readPages = ['fetch_url', 'search_web', 'delegate_research_task'];

/** The origin of what an agent writes in a run: by what the conversation up to now has called, since all of it was read before. */
export async function originOfRun(database: Database, runId: string): Promise<MemoryOrigin> {
  const ranges = await readBranchRanges(database, runId);
  const rows = await database
    .selectDistinct({ name: toolCalls.name })
    .from(toolCalls)
    .where(inArray(toolCalls.runId, [runId, ...ranges.map((range) => range.runId)]));
  const names = rows.map(({ name }) => name);
  if (names.some((name) => readPages.includes(name))) return 'page';
  return names.every(isToolName) ? 'agent' : 'tool';
}
