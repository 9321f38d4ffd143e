import { isWhole, type LineageRange } from '../../../domain/project/lineage-range.ts';
import type { Memory, MemoryFilter, NewMemory, Reader } from '../memory.ts';

/** A memory with the lineage position of the one that superseded it. */
export interface StoredMemory extends Memory {
  supersededLineage?: string | undefined;
  supersededSequence?: number | undefined;
}

/**
 * Where a revert, or another branch of a chat, may leave a memory behind: in its lineage, or in the run in which it was noted for its chat alone.
 * Undefined if it is never left behind.
 */
export function placeInHistory(memory: NewMemory): { lineageId: string; sequence: number | undefined } | undefined {
  const { scope, projectId, lineageId, sequence, source: { run, message } = {} } = memory;
  if (lineageId !== undefined) return { lineageId, sequence };
  const isNote = scope === 'session' && projectId === undefined && run !== undefined && message !== undefined;
  return isNote ? { lineageId: run, sequence: message } : undefined;
}

/** The columns that admission needs besides the packed ones: looking at the past requires knowing what superseded a memory. */
export function columnsOfAdmission(filter: MemoryFilter): string[] {
  return reachesBack(filter) || (filter.scope !== 'everything' && filter.scope.branch)
    ? ['superseded_by', 'superseded_lineage', 'superseded_sequence']
    : [];
}

/** Whether the filter may admit superseded memories. */
export function reachesBack({ scope, history }: MemoryFilter): boolean {
  if (history || scope === 'everything') return true;
  return scope.project !== undefined && !isUnreverted(scope.project);
}

/** Whether a project was never reverted, and so has left nothing behind; true for most. */
export function isUnreverted({ ranges: [first, ...others] }: NonNullable<Reader['project']>): boolean {
  return first !== undefined && !others.length && isWhole(first);
}

/** Whether a filter's scope and `history` admit a memory that was read; equivalent to the filter's condition. */
export function isAdmitted(memory: StoredMemory, { scope, history }: MemoryFilter, now: Date): boolean {
  if (scope !== 'everything' && !isVisibleTo(scope, memory)) return false;
  if (history) return true;
  const expired = memory.expiresAt !== undefined && memory.expiresAt <= now;
  return !expired && isCurrent(memory, scope === 'everything' ? {} : scope);
}

function isVisibleTo({ project, sessionId, branch, reach }: Reader, memory: Memory): boolean {
  const isOfProject = project !== undefined && memory.projectId === project.id;
  if (memory.scope === 'global' && !isOfProject) return reach !== 'own';
  if (reach === 'foreign') return false;
  const isOfSession = sessionId !== undefined && memory.sessionId === sessionId;
  if (isOfProject) {
    const inLineage = memory.lineageId === undefined || isIn(project.ranges, memory.lineageId, memory.sequence);
    return inLineage && (memory.scope !== 'session' || isOfSession);
  }
  return memory.projectId === undefined && memory.scope === 'session' && isOfSession && isNotedIn(branch, memory);
}

function isNotedIn(branch: Reader['branch'], { source: { run, message } }: Memory): boolean {
  return !branch || run === undefined || message === undefined || isIn(branch, run, message);
}

function isCurrent(memory: StoredMemory, { project, branch }: Reader): boolean {
  const { scope, projectId, supersededBy, supersededLineage, supersededSequence } = memory;
  if (supersededBy === undefined) return true;
  if (supersededLineage === undefined) return false;
  const isLeftBy = (ranges: readonly LineageRange[]) => !isIn(ranges, supersededLineage, supersededSequence);
  if (branch && scope === 'session' && projectId === undefined) return isLeftBy(branch);
  return project !== undefined && !isUnreverted(project) && projectId === project.id && isLeftBy(project.ranges);
}

function isIn(ranges: readonly LineageRange[], lineageId: string, sequence: number | undefined): boolean {
  return ranges.some(
    (range) =>
      range.lineageId === lineageId && (isWhole(range) || (sequence !== undefined && sequence <= range.upToSequence)),
  );
}
