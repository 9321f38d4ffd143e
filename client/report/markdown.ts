/** A table; cells are put on one line and cannot break out of theirs. */
export function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|') || ' ';
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Text of others as a quotation, so that its own headings do not become the report's. */
export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}
