import type { CarriedItems, MessageContent, RequestedToolCall } from '../../domain/run/message.ts';

/** A part of an answer; `item` is something that only its provider understands, such as signed thinking. */
export type AnswerPart = { item: unknown } | { text: string } | { call: RequestedToolCall };

/** Marks, among the carried items, where the next `length` characters of the transcript's text, or its next call, belong. */
type Place = { place: 'text'; length: number } | { place: 'call' };

/** The items of an answer, with the places of its text and calls unless it has the usual order: items, text, calls. Undefined if it has no items. */
export function carry(provider: string, parts: AnswerPart[]): CarriedItems | undefined {
  const items = parts.flatMap((part) => ('item' in part ? [part.item] : []));
  if (items.length === 0) return undefined;
  const ranks = parts.map((part) => ('item' in part ? 0 : 'text' in part ? 1 : 2));
  const isUsual = ranks.every((rank, index) => rank >= (ranks[index - 1] ?? 0));
  return { provider, items: isUsual ? items : parts.map(toItem) };
}

function toItem(part: AnswerPart): unknown {
  if ('item' in part) return part.item;
  return ('text' in part ? { place: 'text', length: part.text.length } : { place: 'call' }) satisfies Place;
}

/** Splits an answer of the transcript into its parts, in order: providers refuse thinking that comes back in another place. */
export function partsOf({ text, toolCalls = [], carried }: MessageContent, provider: string): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let said = 0;
  let called = 0;
  for (const item of carried?.provider === provider ? carried.items : []) {
    if (!isPlace(item)) {
      parts.push({ item });
    } else if (item.place === 'text') {
      parts.push({ text: text.slice(said, said + item.length) });
      said += item.length;
    } else {
      parts.push(...toolCalls.slice(called, called + 1).map((call) => ({ call })));
      called += 1;
    }
  }
  parts.push({ text: text.slice(said) }, ...toolCalls.slice(called).map((call) => ({ call })));
  return parts.filter((part) => !('text' in part) || part.text !== '');
}

function isPlace(item: unknown): item is Place {
  return typeof item === 'object' && item !== null && 'place' in item;
}
