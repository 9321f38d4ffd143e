import { formatMoment } from '../../client/format/time.ts';
import type { ReindexStatus } from '../../client/memory/reindexing.ts';
import type { Memory } from '../../db/memory/memory.ts';
import type { MemoryStats } from '../../db/memory/memory-store.ts';
import type { Finding } from '../../db/memory/search/memory-query.ts';
import { alignColumns, fitColumns, truncate } from './columns.ts';
import { printable, printableLine } from './printable.ts';
import type { ListStyle } from './style.ts';

/** At most about so many lines of a memory's text in a list; `memory show` has all of it. */
const maxLines = 4;

/** Renders one line per memory, with its score if it came from a search; on a narrow terminal the texts are on their own lines. */
export function renderMemories(memories: Array<Memory & Partial<Finding>>, { colors, width }: ListStyle): string[] {
  const rows = memories.map((memory) => [
    ...(memory.score === undefined ? [] : [memory.score.toFixed(2), memory.why ?? '']),
    printableLine(memory.id),
    printableLine(memory.kind),
    colors.dim(formatMoment(memory.createdAt)),
    width === undefined ? printableLine(memory.text) : truncate(printableLine(memory.text), maxLines * width),
  ]);
  return fitColumns(rows, width);
}

/** Renders everything about one memory. */
export function renderMemory(memory: Memory): string {
  const { source, text } = memory;
  const rows: Array<[string, string | undefined]> = [
    ['id', memory.id],
    ['kind', memory.kind],
    ['scope', [memory.scope, memory.projectId, memory.sessionId].filter(Boolean).join(' ')],
    ['tags', memory.tags.join(', ') || undefined],
    ['lineage', memory.lineageId && `${memory.lineageId} at ${memory.sequence}`],
    [
      'source',
      Object.entries(source)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ') || undefined,
    ],
    ['words of', memory.origin],
    ['importance', String(memory.importance)],
    ['created', formatMoment(memory.createdAt)],
    ['recalled', memory.recalledAt && formatMoment(memory.recalledAt)],
    ['expires', memory.expiresAt && formatMoment(memory.expiresAt)],
    ['replaced by', memory.supersededBy],
    ['vector of', memory.model ?? 'none'],
  ];
  const lines = alignColumns(rows.flatMap(([name, value]) => (value ? [[name, printableLine(value)]] : [])));
  return `${lines.join('\n')}\n\n${printable(text)}`;
}

export function renderMemoryStats({ memories, history, byKind, model, withoutVector, indexes }: MemoryStats): string {
  const kinds = Object.entries(byKind).map(([kind, count]) => `${count} ${kind}`);
  return alignColumns([
    ['memories', `${memories}${history ? `, ${history} of them history` : ''}`],
    ['kinds', printableLine(kinds.join(', ') || 'none')],
    ['model', model ?? 'none: memories are found by their words only'],
    [
      'without a vector',
      withoutVector && model ? `${withoutVector}: \`longhaul memory reindex\` embeds them` : String(withoutVector),
    ],
    ['indexes', indexes.join(', ')],
  ]).join('\n');
}

/** Renders the progress of embedding in the background. */
export function renderReindexing({ state, reason, workflowId, model, memories, left }: ReindexStatus): string {
  const embedded = `${memories - left} of ${memories} memories have a vector of ${model ?? 'no model'}.`;
  if (state === 'running')
    return `${embedded} The workflow ${workflowId} embeds the others: \`longhaul memory reindex --status\`.`;
  if (!left || state === 'none' || state === 'completed') return embedded;
  const why = reason === undefined ? '' : `: ${printableLine(reason)}`;
  return `${embedded} The workflow ${workflowId} is ${state}${why}. \`longhaul memory reindex\` continues where it stopped.`;
}
