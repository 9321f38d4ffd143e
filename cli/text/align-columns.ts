import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

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
