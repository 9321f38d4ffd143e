import { readBranchRanges } from '../../db/chats/branch-ranges.ts';
import type { Database } from '../../db/connection/database.ts';
import type { MemoryKind, Reader } from '../../db/memory/memory.ts';
import type { MemoryOrigin } from '../../db/memory/origin.ts';
import type { FoundMemory, MemoryQuery } from '../../db/memory/search/memory-query.ts';
import { readFeedback } from '../../db/project/decisions.ts';
import { readLineageRanges, readPresentRanges } from '../../db/project/lineage.ts';
import { findProject } from '../../db/project/projects.ts';
import { describeFeedback } from '../../domain/project/decision-feedback.ts';
import { everything } from '../../domain/project/lineage-range.ts';
import type { Dependencies } from '../dependencies.ts';

type Stores = Pick<Dependencies, 'database' | 'memory'>;

/** Memories that fit a text: the project's own in its present lineage, and those for all from elsewhere. */
export async function recallFor(
  { database, memory }: Stores,
  projectId: string,
  text: string,
  limit: number,
  kinds?: MemoryKind[],
): Promise<{ own: FoundMemory[]; foreign: FoundMemory[] }> {
  const project = await findProject(database, projectId);
  if (!project) return { own: [], foreign: [] };
  const seen = { id: project.id, ranges: await readLineageRanges(database, project.lineageId) };
  const [own, foreign] = await Promise.all([
    memory.search({ query: text, scope: { project: seen, reach: 'own' }, kinds, limit }),
    searchUnreverted(
      { database, memory },
      { query: text, scope: { project: seen, reach: 'foreign' }, kinds, limit: Math.ceil(limit / 2) },
    ),
  ]);
  return { own: await withFeedback(database, project.id, own), foreign: foreign.filter(isNear) };
}

/** Adds to decisions what came of them. */
async function withFeedback(database: Database, projectId: string, memories: FoundMemory[]): Promise<FoundMemory[]> {
  if (!memories.some(({ kind }) => kind === 'decision')) return memories;
  const feedback = await readFeedback(database, projectId);
  return memories.map((one) => {
    const found = feedback.get(one.id);
    return found ? { ...one, text: `${one.text}\nOutcome: ${describeFeedback(found)}` } : one;
  });
}

/** Searches without what a revert of another project left behind, which the store does not know; there may be fewer results. */
export async function searchUnreverted({ database, memory }: Stores, query: MemoryQuery): Promise<FoundMemory[]> {
  const found = await memory.search(query);
  const lineageIds = [...new Set(found.flatMap(({ lineageId }) => lineageId ?? []))];
  if (!lineageIds.length) return found;
  const ranges = await readPresentRanges(database, lineageIds);
  const left = ({ lineageId, sequence = everything }: FoundMemory) =>
    ranges.some((range) => range.lineageId === lineageId && sequence > range.upToSequence);
  return found.filter((one) => !left(one));
}

/**
 * Minimum cosine similarity of another project's lesson, or of a memory for a message in a chat; unrelated texts have 0.0 to 0.2. A project's own
 * memories need none: the nearest few are worth a look. Without vectors a common word is enough.
 */
const minForeignSimilarity = 0.3;

export function isNear({ similarity }: FoundMemory): boolean {
  return similarity === undefined || similarity >= minForeignSimilarity;
}

/**
 * Renders one line per memory, with whose words it has. `ids` adds the memory's id, `sources` the run it came from, or else its decision, session or
 * file.
 */
export function formatMemories(memories: FoundMemory[], { ids = false, sources = false } = {}): string {
  return memories
    .map(({ id, kind, createdAt, text, source, origin, scope, projectId }) => {
      const from = sources ? (source.run ?? source.id) : undefined;
      const by = scope === 'global' && projectId !== undefined ? `${origins[origin]} of ${projectId}` : origins[origin];
      const where = `, ${by}${from === undefined ? '' : `, from ${from}`}${ids ? `, id ${id}` : ''}`;
      return `- (${kind}, ${createdAt.toISOString().slice(0, 10)}${where}) ${text}`;
    })
    .join('\n');
}

const origins: Record<MemoryOrigin, string> = {
  person: 'by a person',
  agent: 'by an agent',
  tool: 'by an agent that had read output of made tools',
  page: 'by an agent that had read web pages',
};

/** A chat as a reader of memories in the branch of the given run; the chat's own notes of other branches are not included. */
export async function readerInBranch(database: Database, chatId: string, runId: string): Promise<Reader> {
  const ranges = await readBranchRanges(database, runId);
  return {
    sessionId: chatId,
    branch: ranges.map(({ runId: lineageId, before }) => ({ lineageId, upToSequence: before - 1 })),
  };
}
