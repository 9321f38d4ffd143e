import type { DecisionRow } from '../project/decisions.ts';
import type { NewMemory } from './memory.ts';
import type { MemoryOrigin } from './origin.ts';

/** A decision as sessions recall it by meaning; written again, it replaces itself. */
export function memoryOfDecision(decision: DecisionRow, origin?: MemoryOrigin): NewMemory {
  const tags = decision.tags.length ? ` [${decision.tags.join(', ')}]` : '';
  return {
    id: decision.id,
    kind: 'decision',
    scope: 'project',
    text: `${decision.title}${tags}\nContext: ${decision.context}\nChoice: ${decision.choice}\nReasoning: ${decision.reasoning}`,
    projectId: decision.projectId,
    lineageId: decision.lineageId,
    sequence: decision.sequence,
    tags: decision.tags,
    source: { id: decision.id, run: decision.runId ?? undefined },
    origin,
    createdAt: decision.createdAt,
  };
}
