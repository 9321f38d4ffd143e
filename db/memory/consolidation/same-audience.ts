import type { LineageRange } from '../../../domain/project/lineage-range.ts';
import type { Memory, NewMemory, Reader } from '../memory.ts';
import { quote } from '../table/quote.ts';
import { toCondition } from '../visibility/condition.ts';

/** Whether both have the same readers. */
export function isSameAudience(one: NewMemory, other: NewMemory): boolean {
  return one.scope === other.scope && one.projectId === other.projectId && one.sessionId === other.sessionId;
}

/** Who sees a memory; `ranges` are those of its project's present lineage. */
export function readerOf({ projectId, sessionId }: NewMemory, ranges: LineageRange[]): Reader {
  return {
    ...(projectId !== undefined && { project: { id: projectId, ranges } }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** Whether the memory is part of the lineage; what the present lineage does must not touch a memory that a revert left behind. */
export function isInLineage({ lineageId, sequence = 0 }: NewMemory, ranges: LineageRange[]): boolean {
  if (lineageId === undefined) return true;
  return ranges.some((range) => range.lineageId === lineageId && sequence <= range.upToSequence);
}

/** Condition: the other current memories of the same kind that have exactly the same readers. */
export function toAudienceCondition(memory: Memory, ranges: LineageRange[], now: Date): string {
  const equals = (column: string, value: string | undefined) =>
    value === undefined ? `${column} is null` : `${column} = ${quote(value)}`;
  return [
    toCondition({ scope: readerOf(memory, ranges), kinds: [memory.kind] }, now),
    equals('scope', memory.scope),
    equals('project_id', memory.projectId),
    equals('session_id', memory.sessionId),
    `id != ${quote(memory.id)}`,
  ].join(' and ');
}
