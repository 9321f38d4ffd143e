import type { ChatExchange } from '../../db/chats/read-history.ts';
import type { Recollection } from '../../domain/run/message.ts';
import { shorten } from '../../domain/storable-text.ts';
import type { ConversationControl } from '../chats/conversation-control.ts';
import { printable, printableLine } from '../render/printable.ts';

/** How many of the latest messages are reported. */
const maxMessages = 10;

const found = { vector: 'by meaning', text: 'by words', both: 'by words and meaning', neighbour: 'beside another hit' };

/** `/memory`: for each of the latest messages, what was recalled and why, and what was learned from it. */
export async function memory({ chat, print }: ConversationControl): Promise<void> {
  if (!chat().memory) return print('This conversation has no memory: nothing is recalled or learned.');
  const reports = (await chat().history({ last: maxMessages }))
    .map(formatMemoriesOf)
    .filter((lines) => lines.length > 1);
  print(reports.flat().join('\n') || 'Nothing was recalled for the last messages, and nothing was learned from them.');
}

/** Renders the message, then one line per memory. */
export function formatMemoriesOf({
  said,
  recalled,
  recollections,
  recallFailure,
  kept,
  steps,
}: ChatExchange): string[] {
  const known = new Set(recollections.map(({ id }) => id));
  const written = steps.flatMap((step) =>
    step.type === 'tool' && step.tool === 'write_memory' && step.failed === false ? [step] : [],
  );
  return [
    `> ${short(said)}`,
    ...recollections.map(formatRecollection),
    ...recalled.filter((id) => !known.has(id)).map((id) => `  recalled ${id}`),
    ...(recallFailure === null ? [] : [`  recall failed: ${printableLine(recallFailure)}`]),
    ...written.map(({ result }) => `  written by the agent: ${short(result)}`),
    ...kept.map(({ outcome, kind, text, id, superseded, reason }) => {
      if (outcome === 'refused') return `  not kept: ${kind}. ${reason ?? ''}`.trimEnd();
      const replaced = superseded.length ? `, replacing ${superseded.join(', ')}` : '';
      return `  ${outcome === 'added' ? 'learned' : 'known already'}: ${short(text)} (${kind}, ${id}${replaced})`;
    }),
  ].map(printable);
}

function formatRecollection({ id, kind, text, score, why, similarity, source, createdAt }: Recollection): string {
  const near = similarity === null ? '' : `, similarity ${similarity.toFixed(2)}`;
  const from = source === null ? '' : `, from ${source}`;
  return `  recalled: ${short(text)} (${kind} of ${createdAt.slice(0, 10)}${from}; ${found[why]}, score ${score.toFixed(2)}${near}; ${id})`;
}

function short(text: string): string {
  return shorten(printableLine(text), 120);
}
