import { formatMoment } from '../../client/format/time.ts';
import type { ConsolidationOutcome, MemoryChange } from '../../client/memory/consolidations.ts';
import type { ChangeCount, CountedConsolidation } from '../../domain/memory/consolidation.ts';
import type { CommandContext } from '../program/command-context.ts';
import { alignColumns } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import type { ListStyle } from '../render/style.ts';
import { listStyle } from '../render/style.ts';

interface AsJson {
  json?: boolean;
}

export async function consolidate(
  context: CommandContext,
  { project, dryRun, summaries, json }: AsJson & { project?: string; dryRun?: boolean; summaries: boolean },
): Promise<void> {
  const request = { project, dryRun, ...(!summaries && { summaries: 0 }) };
  const outcome = await context.withLonghaul((longhaul) => longhaul.consolidations.run(request));
  if (json) return context.printJson(outcome);
  context.printMessage(renderOutcome(outcome));
}

export async function listConsolidations(context: CommandContext, { json }: AsJson): Promise<void> {
  const { list, proposals } = await context.withLonghaul(async ({ consolidations }) => ({
    list: await consolidations.list(),
    proposals: await consolidations.proposals(),
  }));
  if (json) return context.printJson({ consolidations: list, proposals });
  if (!list.length)
    return context.printMessage('There are no consolidations yet. `longhaul memory consolidate` starts one.');
  const style = listStyle(context);
  context.print(renderConsolidations(list, style).join('\n'));
  if (!proposals.length) return;
  context.print(`\nOpen proposals, to accept or reject:\n${renderChanges(proposals, style).join('\n')}`);
}

export async function showConsolidation(context: CommandContext, id: string, { json }: AsJson): Promise<void> {
  const changes = await context.withLonghaul(({ consolidations }) => consolidations.show(id));
  if (json) return context.printJson(changes);
  context.print(renderChanges(changes, listStyle(context)).join('\n') || 'It changed and proposed nothing.');
}

export async function acceptConsolidation(
  context: CommandContext,
  id: string,
  options: { replace?: boolean },
): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.accept(id, options));
  context.print(`Accepted ${count}.`);
}

export async function rejectConsolidation(context: CommandContext, id: string): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.reject(id));
  context.print(`Rejected ${count}.`);
}

export async function undoConsolidation(context: CommandContext, id: string): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.undo(id));
  context.print(`Undid ${count}.`);
}

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
  const counts = changes
    .filter(({ kind, status }) => kind === 'merge' || status !== 'rejected')
    .map(({ kind, status, count }) => `${count} ${names[kind][count === 1 ? 0 : 1]} ${status}`);
  return counts.join(', ') || 'nothing to change';
}
