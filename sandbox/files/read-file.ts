import { SandboxError } from '../errors.ts';
import type { FileOperation, SandboxFiles } from '../sandbox-files.ts';
import { numberLines } from './replace-text.ts';

/** Default number of lines, and maximum of bytes shown: about 6,000 tokens, and less than a command's output limit. */
const defaultLines = 1_000;
const maxBytes = 24_000;

/** Shows a text file with line numbers, starting at line `offset` (1-based). */
export async function readFile(
  files: SandboxFiles,
  call: FileOperation & { offset?: number | undefined; limit?: number | undefined },
): Promise<string> {
  const offset = Math.max(1, Math.trunc(call.offset ?? 1));
  const limit = Math.max(1, Math.trunc(call.limit ?? defaultLines));
  const { size, lineCount, text, cutOff } = await files.readLines({ ...call, offset, limit, maxBytes });
  if (size === 0) return `"${call.path}" is empty.`;
  if (offset > lineCount)
    throw new SandboxError('FileRefused', `"${call.path}" has ${lineCount} lines; line ${offset} is beyond its end.`);
  return formatLines(text, { offset, lineCount, cutOff });
}

function formatLines(text: string, facts: { offset: number; lineCount: number; cutOff: boolean }): string {
  const usesCarriageReturns = text.includes('\r\n');
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  // Text cut off by the byte limit ends in a partial line: drop it for the next call to show, unless it is the only line.
  if (facts.cutOff && lines.length > 1) lines.pop();
  const last = facts.offset + lines.length - 1;
  const notes: string[] = [];
  if (facts.cutOff && lines.length === 1)
    notes.push(`Line ${last} is too long to show; read the rest with run_command.`);
  if (last < facts.lineCount)
    notes.push(`Lines ${facts.offset} to ${last} of ${facts.lineCount}; continue with offset ${last + 1}.`);
  if (usesCarriageReturns) notes.push('Lines end in CRLF.');
  return [numberLines(lines, facts.offset), ...notes.map((note) => `(${note})`)].join('\n');
}
