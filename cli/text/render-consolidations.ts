import { formatMoment } from '../../client/format/time.ts';
import type { ConsolidationOutcome, MemoryChange } from '../../client/memory/consolidations.ts';
import type { CountedConsolidation } from '../../db/consolidation/consolidations.ts';
import type { ChangeCount } from '../../domain/memory/consolidation-status.ts';
import { alignColumns } from './align-columns.ts';
import { printableLine } from './printable.ts';
import type { ListStyle } from './render-lists.ts';

/** Renders what a finished consolidation did, and where to look next. */
export function renderOutcome({ id, looked, changes, remark }: ConsolidationOutcome): string {
  const lines = [`${id}: looked at ${looked} memories; ${describeCounts(changes)}.`];
  if (remark !== undefined) lines.push(printableLine(remark));
  if (changes.length) lines.push(`\`longhaul memory consolidations show ${id}\` lists the changes.`);
  return lines.join('\n');
}

/** Renders one line per consolidation. */
export function renderConsolidations(list: CountedConsolidation[], { colors, width }: ListStyle): string[] {
  const rows = list.map((one) => [
    one.id,
    colors.dim(formatMoment(one.createdAt)),
    one.dryRun ? `${one.status}, dry run` : one.status,
    one.projectId ?? 'all projects',
    `looked at ${one.looked}`,
    [describeCounts(one.changes), one.remark && printableLine(one.remark)].filter(Boolean).join('. '),
  ]);
  return alignColumns(rows, width);
}

/** Renders each change with the texts it concerns. */
export function renderChanges(changes: MemoryChange[], { colors }: ListStyle): string[] {
  return changes.flatMap((change) => [
    `${change.id} ${colors.dim(`${change.status} ${formatMoment(change.changedAt)} by ${change.consolidationId}`)}`,
    ...(change.kind === 'merge'
      ? [describe('stays', change.memoryId, change.memory?.text)]
      : [describe('summary', change.memoryId, change.text ?? undefined)]),
    ...change.sources.map((id) =>
      describe(
        change.kind === 'merge' ? 'merged into it' : 'of',
        id,
        change.sourceMemories.find((memory) => memory.id === id)?.text,
      ),
    ),
  ]);
}

function describe(role: string, id: string, text: string | undefined): string {
  return `  ${role}: ${printableLine(id)}: ${text === undefined ? '(forgotten)' : printableLine(text)}`;
}

function describeCounts(changes: ChangeCount[]): string {
  const names = { merge: ['merge', 'merges'], summary: ['summary', 'summaries'] } as const;
  const told = changes
    .filter(({ kind, status }) => kind === 'merge' || status !== 'rejected')
    .map(({ kind, status, count }) => `${count} ${names[kind][count === 1 ? 0 : 1]} ${status}`);
  return told.join(', ') || 'nothing to change';
}
