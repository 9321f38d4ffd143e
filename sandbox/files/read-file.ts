import { FileToolError } from './errors.ts';
import type { FileSandbox, FileToolCall } from './file-sandbox.ts';
import { numberLines } from './number-lines.ts';
import { runFileScript } from './run-file-script.ts';

/** Default number of lines, and most bytes shown: about 6,000 tokens, and less than a command's output limit. */
const defaultLines = 1_000;
const mostBytes = 24_000;

/** Shows a text file with line numbers, starting at line `offset` (1-based). */
export async function readFile(
  sandbox: FileSandbox,
  call: FileToolCall & { path: string; offset?: number; limit?: number },
): Promise<string> {
  const offset = Math.max(1, Math.trunc(call.offset ?? 1));
  const limit = Math.max(1, Math.trunc(call.limit ?? defaultLines));
  const { result } = await runFileScript(sandbox, call, {
    name: 'read-file',
    path: call.path,
    values: { OFFSET: String(offset), LIMIT: String(limit), BYTES: String(mostBytes) },
  });
  const end = result.output.text.indexOf('\n');
  const [size = 0, lineCount = 0] = result.output.text.slice(0, end).split(' ').map(Number);
  if (size === 0) return `"${call.path}" is empty.`;
  if (offset > lineCount)
    throw new FileToolError(`"${call.path}" has ${lineCount} lines; line ${offset} is beyond its end.`);
  return showLines(result.output.text.slice(end + 1), {
    offset,
    lineCount,
    full: result.output.totalBytes - end - 1 >= mostBytes,
  });
}

function showLines(text: string, facts: { offset: number; lineCount: number; full: boolean }): string {
  const usesCarriageReturns = text.includes('\r\n');
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  // Text cut off by the byte limit ends in a partial line: drop it for the next call to show, unless it is the only line.
  if (facts.full && lines.length > 1) lines.pop();
  const last = facts.offset + lines.length - 1;
  const notes: string[] = [];
  if (facts.full && lines.length === 1)
    notes.push(`Line ${last} is longer than can be shown; see the rest with run_command.`);
  if (last < facts.lineCount)
    notes.push(`Lines ${facts.offset} to ${last} of ${facts.lineCount}; go on with offset ${last + 1}.`);
  if (usesCarriageReturns) notes.push('Lines end in CRLF.');
  return [numberLines(lines, facts.offset), ...notes.map((note) => `(${note})`)].join('\n');
}
