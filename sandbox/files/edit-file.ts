import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { FileToolError } from './errors.ts';
import type { FileSandbox, FileToolCall } from './file-sandbox.ts';
import { replaceText } from './replace-text.ts';
import { runFileScript } from './run-file-script.ts';

/** Largest file that can be edited, in bytes: it travels to the harness and back. */
const mostBytes = 8 * 1024 ** 2;

export interface EditFileCall extends FileToolCall {
  path: string;
  /** Must occur exactly once in the file, unless `replaceAll` is set. */
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

/**
 * Replaces a text in a file. Each of its two steps is a command with an id derived from the call's: a retry works on the file as the first attempt
 * read it, and so gives the same result.
 */
export async function editFile(sandbox: FileSandbox, call: EditFileCall): Promise<string> {
  if (call.oldText === '')
    throw new FileToolError('old text is empty: say what to replace, or use write_file for a new file.');
  if (call.oldText === call.newText)
    throw new FileToolError('old text and new text are the same: there is nothing to edit.');
  const content = await readWhole(sandbox, call);
  const edit = replaceText(content, call);
  await runFileScript(sandbox, call, {
    name: 'replace-file',
    path: call.path,
    values: { BEFORE: hash(content), AFTER: hash(edit.content) },
    input: edit.content.toString('base64'),
  });
  return edit.summary;
}

async function readWhole(sandbox: FileSandbox, call: EditFileCall): Promise<Buffer> {
  const reading = { ...call, id: `${call.id}.read` };
  const { id, result } = await runFileScript(sandbox, reading, {
    name: 'read-whole-file',
    path: call.path,
    values: { BYTES: String(mostBytes) },
  });
  const { text, truncated } = result.output;
  // Complete, valid output is the file's content; otherwise fetch the raw bytes.
  if (!truncated && !text.includes('\uFFFD')) return Buffer.from(text);
  const log = await sandbox.readLog(id);
  if (log === undefined) throw new FileToolError(`"${call.path}" could not be read back. Try again.`);
  return buffer(log.bytes);
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
