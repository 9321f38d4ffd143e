import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { alignColumns, gap, truncate } from './align-columns.ts';

const indent = '    ';
/** Fewest columns to wrap words into; below that the terminal wraps the lines itself. */
const fewestForWords = 20;

/**
 * Aligns rows of the same length in columns, one line each. Where a line is wider than the width, the last cell of every row, or the last `below`,
 * stand indented below the others, wrapped between words: they say what a person looks for, so that they are not cut.
 */
export function fitColumns(rows: string[][], width = Number.POSITIVE_INFINITY, below = 1): string[] {
  const lines = alignColumns(rows);
  if (lines.every((line) => stringWidth(line) <= width)) return lines;
  const room = width - indent.length;
  const wrap = (text: string) => (room < fewestForWords ? [text] : wrapAnsi(text, room).split('\n'));
  const heads = alignColumns(rows.map((row) => row.slice(0, -below)));
  return rows.flatMap((row, index) => [
    truncate((heads[index] ?? '').trimEnd(), width),
    ...wrap(row.slice(-below).filter(Boolean).join(' '.repeat(gap))).flatMap((line) => (line ? [indent + line] : [])),
  ]);
}
