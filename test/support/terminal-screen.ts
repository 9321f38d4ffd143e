import stringWidth from 'string-width';

/**
 * What a terminal of this size shows, including rows that have scrolled off the top. It knows the control sequences that readline and Longhaul's chat
 * use, and throws on any other.
 */
export function createTerminalScreen(width: number, height = 1_000): { write(text: string): void; rows(): string[] } {
  const rows: string[][] = [[]];
  let [row, column] = [0, 0];

  /** The first row still on the screen. */
  const top = () => Math.max(0, rows.length - height);

  function control(parameter: number, final: string): void {
    if (final === 'A') row = Math.max(top(), row - (parameter || 1));
    else if (final === 'B') row += parameter || 1;
    else if (final === 'C') column = Math.min(width - 1, column + (parameter || 1));
    else if (final === 'D') column = Math.max(0, column - (parameter || 1));
    else if (final === 'G') column = (parameter || 1) - 1;
    else if (final === 'J' && parameter === 0) {
      rows.splice(row + 1);
      rows[row]?.splice(column);
    } else if (final === 'K' && parameter === 0) rows[row]?.splice(column);
    else throw new Error(`Expected a known control sequence, got one that ends in ${final} with ${parameter}.`);
  }

  function put(character: string): void {
    const columns = stringWidth(character);
    if (column + columns > width) [row, column] = [row + 1, 0]; // a full line wraps only when the next character comes
    while (rows.length <= row) rows.push([]);
    const line = rows[row] ?? [];
    while (line.length < column) line.push(' ');
    line[column] = character;
    if (columns === 2) line[column + 1] = '';
    column += columns;
  }

  return {
    write(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what it parses
      for (const [all, , parameter = '', final] of text.matchAll(/\u001b\[(\??)(\d*)([A-Za-z])|[\s\S]/gu)) {
        if (final !== undefined && all.startsWith('\u001b[?')) continue; // modes are not supported
        if (final !== undefined) control(Number(parameter), final);
        else if (all === '\n')
          [row, column] = [row + 1, 0]; // like a terminal that Node uses, which also returns to the first column
        else if (all === '\r') column = 0;
        else put(all);
        while (rows.length <= row) rows.push([]);
      }
    },
    rows: () => rows.map((line) => line.join('').trimEnd()),
  };
}
