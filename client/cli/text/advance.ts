import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();
/** Columns from one tab stop to the next. */
const tabStop = 8;

/**
 * The column that a terminal's cursor is in after a text, with those that were written before in its line: 0 behind a line break, at most
 * the width, where the next character goes to the next line.
 */
export function advance(column: number, text: string, width: number): number {
  const begin = text.lastIndexOf('\n') + 1;
  let at = begin > 0 ? 0 : column;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text.slice(begin)))) {
    if (segment === '\t') {
      at = Math.min(width - 1, (Math.floor(at / tabStop) + 1) * tabStop);
      continue;
    }
    const columns = stringWidth(segment);
    at = at + columns > width ? columns : at + columns;
  }
  return at;
}
