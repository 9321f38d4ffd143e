import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Spaces between two columns. */
export const gap = 2;

/** Aligns rows in columns, measured in terminal cells; with a width, longer lines end in an ellipsis. */
export function alignColumns(rows: string[][], width = Number.POSITIVE_INFINITY): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell) + gap),
    );
    return truncate(cells.join(''), width);
  });
}

/** Cuts a line to a width, in whole characters. */
export function truncate(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  // cli-truncate may keep one column too many if a wide character is at the end.
  for (let room = Math.floor(width); room > 0; room -= 1) {
    const cut = cliTruncate(line, room);
    if (stringWidth(cut) <= width) return cut;
  }
  return '';
}

/** Cuts a line to a width in its middle, where its beginning and its end say most. */
export function truncateMiddle(line: string, width: number): string {
  return stringWidth(line) <= width ? line : truncate(cliTruncate(line, width, { position: 'middle' }), width);
}

const indent = '    ';
/** Minimum columns to wrap words into; below that the terminal wraps the lines itself. */
const minForWords = 20;

/**
 * Aligns rows of the same length in columns, one line each. Where a line is wider than the width, the last cell of every row, or the last `below`,
 * stand indented below the others, wrapped between words: they say what a person looks for, so that they are not cut.
 */
export function fitColumns(rows: string[][], width = Number.POSITIVE_INFINITY, below = 1): string[] {
  const lines = alignColumns(rows);
  if (lines.every((line) => stringWidth(line) <= width)) return lines;
  const room = width - indent.length;
  const wrap = (text: string) => (room < minForWords ? [text] : wrapAnsi(text, room).split('\n'));
  const heads = alignColumns(rows.map((row) => row.slice(0, -below)));
  return rows.flatMap((row, index) => [
    truncate((heads[index] ?? '').trimEnd(), width),
    ...wrap(row.slice(-below).filter(Boolean).join(' '.repeat(gap))).flatMap((line) => (line ? [indent + line] : [])),
  ]);
}

/** Renders pairs as two aligned columns, wrapping the second into the width that the first leaves. */
export function wrapPairs(pairs: Array<[string, string]>, width: number): string[] {
  const indent = gap + Math.max(0, ...pairs.map(([first]) => stringWidth(first)));
  const room = width - indent;
  return alignColumns(
    pairs.flatMap(([first, second]) => {
      const lines = room < minForWords ? [second] : wrapAnsi(second, room).split('\n');
      return lines.map((line, index) => [index ? '' : first, line]);
    }),
  );
}
