import type { Tokens } from 'marked';
import stringWidth from 'string-width';
import { type BlockStyle, wrap } from './block-style.ts';
import { renderInline } from './render-inline.ts';

const gap = 2;
/** Fewest columns of a cell; where a table has no room for them, each row becomes a list of its cells. */
const minCell = 8;

/** Renders a table in aligned columns, whose cells wrap where it is wider than the screen. */
export function renderTable({ header, rows, align }: Tokens.Table, { colors, width }: BlockStyle): string[] {
  const heads = header.map(({ tokens }) => renderInline(tokens, colors));
  const cells = rows.map((row) => row.map(({ tokens }) => renderInline(tokens, colors)));
  const widths = fitWidths([heads, ...cells], width);
  if (!widths) return stack(heads.map(colors.bold), cells, width);
  const lay = (row: string[], paint = (text: string) => text) => layRow(row, widths, align, paint);
  const rule = colors.dim(widths.map((one) => '─'.repeat(one)).join(' '.repeat(gap)));
  return [...lay(heads, colors.bold), rule, ...cells.flatMap((row) => lay(row))];
}

/** The widths of the columns: their own, or less for the widest ones; undefined if there is too little room. */
function fitWidths(rows: string[][], width: number): number[] | undefined {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => Math.max(...(row[column] ?? '').split('\n').map((line) => stringWidth(line))))),
  );
  let over = widths.reduce((sum, one) => sum + one, 0) + gap * (count - 1) - width;
  for (; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= minCell) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function layRow(
  row: string[],
  widths: number[],
  align: Tokens.Table['align'],
  paint: (text: string) => string,
): string[] {
  const cells = widths.map((width, column) => wrap(row[column] ?? '', width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => pad(lines[line] ?? '', widths[column] ?? 0, align[column] ?? null, paint))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: 'center' | 'left' | 'right' | null, paint: (text: string) => string) {
  const room = Math.max(0, width - stringWidth(text));
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return `${' '.repeat(before)}${text && paint(text)}${' '.repeat(room - before)}`;
}

/** Each row as its cells below each other, with an empty line between two rows. */
function stack(heads: string[], rows: string[][], width: number): string[] {
  return rows.flatMap((row, index) => [
    ...(index ? [''] : []),
    ...row.flatMap((cell, column) => wrap([heads[column], cell].filter(Boolean).join(': '), width)),
  ]);
}
