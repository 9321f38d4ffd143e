import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();
/** Columns between tab stops. */
const tabStop = 8;

/**
 * The column of a terminal's cursor after writing a text that starts at `column`: 0 after a line break, and at most `width`, from where the next
 * character wraps.
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
