import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { alignColumns, gap } from './align-columns.ts';

/** Columns that words are wrapped into at least; a terminal with fewer breaks the lines itself. */
const fewestForWords = 20;

/** Pairs as two aligned columns; the words of the second are wrapped into what the first leaves of the width. */
export function wrapPairs(pairs: Array<[string, string]>, width: number): string[] {
  const indent = gap + Math.max(0, ...pairs.map(([first]) => stringWidth(first)));
  const room = width - indent;
  return alignColumns(
    pairs.flatMap(([first, second]) => {
      const lines = room < fewestForWords ? [second] : wrapAnsi(second, room).split('\n');
      return lines.map((line, index) => [index ? '' : first, line]);
    }),
  );
}
