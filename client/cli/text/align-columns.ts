import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** Columns between two columns. */
export const gap = 2;

/** Lines of aligned columns, as wide as a terminal shows them; with a width, what is too long ends in an ellipsis. */
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

/** A line cut to a width, in whole characters. */
export function truncate(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  // The library may keep one column too many where a wide character meets the end.
  for (let room = Math.floor(width); room > 0; room -= 1) {
    const cut = cliTruncate(line, room);
    if (stringWidth(cut) <= width) return cut;
  }
  return '';
}
