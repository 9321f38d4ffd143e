import { isWhole, type LineageRange } from '../../lineage-range.ts';
import type { Memory, MemoryFilter, Reader } from '../memory.ts';

/** A memory with the place in a lineage of what took its own place. */
export interface StoredMemory extends Memory {
  supersededLineage?: string | undefined;
  supersededSequence?: number | undefined;
}

/** The columns that decide it beside those that are packed. */
export function columnsOfAdmission({ scope }: MemoryFilter): string[] {
  const project = scope === 'everything' ? undefined : scope.project;
  const places = project && !isUnreverted(project) ? ['superseded_lineage', 'superseded_sequence'] : [];
  return ['expires_at', 'superseded_by', ...places];
}

/** A project that was never reverted has left nothing behind; most are. */
export function isUnreverted({ ranges: [first, ...others] }: NonNullable<Reader['project']>): boolean {
  return first !== undefined && !others.length && isWhole(first);
}

/** Whether a filter's scope, and its say about history, admit a memory: the same as its condition, of a row that was read. */
export function isAdmitted(memory: StoredMemory, { scope, history }: MemoryFilter, now: Date): boolean {
  if (scope !== 'everything' && !isVisibleTo(scope, memory)) return false;
  if (history) return true;
  const expired = memory.expiresAt !== undefined && memory.expiresAt <= now;
  return !expired && isCurrent(memory, scope === 'everything' ? undefined : scope.project);
}

function isVisibleTo({ project, sessionId, reach }: Reader, memory: Memory): boolean {
  const isOfProject = project !== undefined && memory.projectId === project.id;
  if (memory.scope === 'global' && !isOfProject) return reach !== 'own';
  if (reach === 'foreign') return false;
  const isOfSession = sessionId !== undefined && memory.sessionId === sessionId;
  if (isOfProject) {
    const inLineage = memory.lineageId === undefined || isIn(project.ranges, memory.lineageId, memory.sequence);
    return inLineage && (memory.scope !== 'session' || isOfSession);
  }
  return memory.projectId === undefined && memory.scope === 'session' && isOfSession;
}

function isCurrent(memory: StoredMemory, project: Reader['project']): boolean {
  if (memory.supersededBy === undefined) return true;
  if (!project || isUnreverted(project)) return false;
  const { projectId, supersededLineage, supersededSequence } = memory;
  if (projectId !== project.id || supersededLineage === undefined) return false;
  return !isIn(project.ranges, supersededLineage, supersededSequence);
}

function isIn(ranges: readonly LineageRange[], lineageId: string, sequence: number | undefined): boolean {
  return ranges.some(
    (range) =>
      range.lineageId === lineageId && (isWhole(range) || (sequence !== undefined && sequence <= range.upToSequence)),
  );
}
