import { FileToolError, fileRefusals, formatMissing } from '../../files/file-tool-error.ts';
import type { CommandResult } from '../../sandbox.ts';

/** What the exit codes of the file scripts mean. */
const refusals: Record<number, (path: string, said: string) => string> = {
  40: fileRefusals.outsideWorkspace,
  41: missing,
  42: fileRefusals.folder,
  43: fileRefusals.binary,
  44: fileRefusals.notFile,
  45: fileRefusals.notWritten,
  46: fileRefusals.changed,
  47: fileRefusals.tooLarge,
  48: fileRefusals.unreadable,
  49: fileRefusals.unusable,
  50: fileRefusals.notFolder,
  51: fileRefusals.badPattern,
};

/** The error for a script that did not exit with 0. */
export function toFileToolError(path: string, result: CommandResult): FileToolError {
  const said = result.output.text.trim();
  if (result.outcome === 'timed-out') {
    return new FileToolError(`This took more than a minute on "${path}" and was stopped. Use a narrower path.`);
  }
  const refusal = refusals[result.exitCode ?? -1];
  return new FileToolError(
    refusal?.(path, said) ?? `This failed on "${path}" (${result.outcome}, exit code ${result.exitCode}): ${said}`,
  );
}

function missing(path: string, said: string): string {
  const valuesOf = (mark: string): string[] =>
    said.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
  return formatMissing(path, {
    sameName: valuesOf('same name: '),
    folder: valuesOf('folder: ')[0]?.replace(/^\//, '') ?? '',
    entries: valuesOf('entry: '),
  });
}
