import { SandboxError } from '../errors.ts';
import type { FileOperation, SandboxFiles } from '../sandbox-files.ts';
import { replaceText } from './replace-text.ts';

/** Largest file that can be edited, in bytes: it travels to the harness and back. */
const maxBytes = 8 * 1024 ** 2;

export interface EditFileCall extends FileOperation {
  /** Must occur exactly once in the file, unless `replaceAll` is set. */
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

/**
 * Replaces a text in a file. Each of its two steps has an id derived from the call's: a retry works on the file as the first attempt read it, and so
 * gives the same result.
 */
export async function editFile(files: SandboxFiles, call: EditFileCall): Promise<string> {
  if (call.oldText === '')
    throw new SandboxError(
      'FileRefused',
      'Expected the old text to replace, got an empty one. For a new file use write_file.',
    );
  if (call.oldText === call.newText)
    throw new SandboxError('FileRefused', 'The old text and the new text are the same, so there is nothing to edit.');
  const before = await files.read({ ...call, id: `${call.id}.read`, maxBytes });
  const { content: after, summary } = replaceText(before, call);
  await files.replace({ ...call, before, after });
  return summary;
}
