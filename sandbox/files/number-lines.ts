/** Prefixes lines with their numbers, as `read_file` shows them. */
export function numberLines(lines: string[], first: number): string {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, index) => `${String(first + index).padStart(width)}\t${line}`).join('\n');
}
