/** Renders a table; each cell is put on one line, with `|` escaped. */
export function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|') || ' ';
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Quotes other people's text, so that its headings do not become the report's. */
export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}
