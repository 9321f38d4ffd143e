import type { DecisionRow } from '../db/decisions.ts';
import { readLineageRanges } from '../db/lineage.ts';
import type { RecalledMemory } from '../db/memory/memory-store.ts';
import { findProject } from '../db/projects.ts';
import type { Dependencies } from './dependencies.ts';

type Stores = Pick<Dependencies, 'database' | 'memory'>;

/** Puts a decision where it can be recalled by meaning; a retry replaces it with itself. */
export async function rememberDecision({ memory }: Stores, decision: DecisionRow): Promise<void> {
  const tags = decision.tags.length ? ` [${decision.tags.join(', ')}]` : '';
  await memory.remember([
    {
      id: decision.id,
      kind: 'decision',
      scope: 'project',
      text: `${decision.title}${tags}\nContext: ${decision.context}\nChoice: ${decision.choice}\nReasoning: ${decision.reasoning}`,
      projectId: decision.projectId,
      lineageId: decision.lineageId,
      sequence: decision.sequence,
      source: decision.id,
      createdAt: decision.createdAt,
    },
  ]);
}

/** Memories that fit a text: the project's own in its present lineage, and lessons of other projects. */
export async function recallFor(
  { database, memory }: Stores,
  projectId: string,
  text: string,
  limit: number,
): Promise<{ own: RecalledMemory[]; foreign: RecalledMemory[] }> {
  const project = await findProject(database, projectId);
  if (!project) return { own: [], foreign: [] };
  const ranges = await readLineageRanges(database, project.lineageId);
  const [own, foreign] = await Promise.all([
    memory.recall({ text, projectId, ranges, limit }),
    memory.recallFromOthers({ text, projectId, limit: Math.ceil(limit / 2) }),
  ]);
  return { own, foreign };
}

export function tellMemories(memories: RecalledMemory[]): string {
  return memories
    .map((memory) => `- (${memory.kind}, ${memory.createdAt.toISOString().slice(0, 10)}) ${memory.text}`)
    .join('\n');
}
