import type { AnswerDelta } from '../../domain/run/message.ts';

/** Appends a piece, merged into the last one if both belong to the same text or tool call. */
export function mergeDelta(deltas: AnswerDelta[], delta: AnswerDelta): void {
  const last = deltas.at(-1);
  if (last?.type === 'tool-call' && delta.type === 'tool-call' && last.index === delta.index) {
    deltas[deltas.length - 1] = { ...delta, arguments: last.arguments + delta.arguments };
  } else if (last && last.type === delta.type && last.type !== 'tool-call' && delta.type !== 'tool-call') {
    deltas[deltas.length - 1] = { ...delta, text: last.text + delta.text };
  } else {
    deltas.push(delta);
  }
}

/** Maximum length of one piece in characters; as JSON each takes at most 6 bytes, so that a piece fits into one message. */
const mostCharacters = 1_000;
const mostNameCharacters = 60;

/** Splits a piece into pieces that each fit into one message. */
export function cutDelta(delta: AnswerDelta): AnswerDelta[] {
  if (delta.type !== 'tool-call') return cutText(delta.text).map((text) => ({ ...delta, text }));
  const name = delta.name.slice(0, mostNameCharacters);
  return cutText(delta.arguments).map((part) => ({ ...delta, name, arguments: part }));
}

function cutText(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / mostCharacters));
  return Array.from({ length: count }, (_, index) => text.slice(index * mostCharacters, (index + 1) * mostCharacters));
}

/**
 * Groups pieces by at most `mostBytes` of JSON; an oversized piece gets a group of its own. There is always a group, empty if there are no pieces.
 */
export function packDeltas(deltas: AnswerDelta[], mostBytes: number): AnswerDelta[][] {
  const groups: AnswerDelta[][] = [[]];
  let bytes = 0;
  for (const delta of deltas) {
    const size = Buffer.byteLength(JSON.stringify(delta)) + 1;
    if (bytes + size > mostBytes && bytes > 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(delta);
    bytes += size;
  }
  return groups;
}
