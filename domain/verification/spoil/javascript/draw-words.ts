import type { Draw } from '../draw.ts';

const qualities = ['missing', 'unknown', 'repeated', 'invalid', 'negative', 'trailing', 'empty', 'unexpected'];
const things = ['name', 'digit', 'value', 'item', 'length', 'option', 'index', 'sign', 'entry', 'field'];
const places = ['before', 'after', 'without', 'within', 'next to'];

/** Words that a title or the message of an error could have. */
export function drawWords(draw: Draw): string {
  const pick = (words: string[]) => words[draw(words.length)];
  return `${pick(qualities)} ${pick(things)} ${pick(places)} the ${pick(qualities)} ${pick(things)}`;
}
