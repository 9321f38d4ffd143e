import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { alignColumns, gap } from './align-columns.ts';

/** Fewest columns to wrap words into; below that the terminal wraps the lines itself. */
const fewestForWords = 20;

/** Renders pairs as two aligned columns, wrapping the second into the width that the first leaves. */
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
