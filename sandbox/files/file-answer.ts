import type { CommandResult } from '../sandbox.ts';
import { FileToolError, PathOutsideWorkspaceError } from './errors.ts';

/** What the exit codes of the file tools' programs mean, worded for the model. `said` is the program's output. */
const refusals: Record<number, (path: string, said: string) => FileToolError> = {
  40: (path, said) =>
    new PathOutsideWorkspaceError(
      `"${path}" leads out of the workspace, to ${said}. Use a path inside /workspace, best relative to it.`,
    ),
  41: (path, said) => new FileToolError(missingMessage(path, said)),
  42: (path) => new FileToolError(`"${path}" is a folder. Use list_files to see what is in it.`),
  43: (path, said) =>
    new FileToolError(
      `"${path}" is a binary file of ${said} bytes. Use run_command with a program that knows its format.`,
    ),
  44: (path) => new FileToolError(`"${path}" is neither a file nor a folder (a socket, pipe or device).`),
  45: (path, said) => new FileToolError(`"${path}" could not be written; it is as it was. ${said}`),
  46: (path) =>
    new FileToolError(
      `"${path}" was changed by something else during the edit; nothing was edited. Read it again, then repeat the edit.`,
    ),
  47: (path, said) => new FileToolError(`"${path}" has ${said} bytes, too many to edit this way. Use run_command.`),
  48: (path, said) => new FileToolError(`"${path}" cannot be read. ${said}`),
  49: (path, said) => new FileToolError(`"${path}" cannot be used. ${said}`),
  50: (path) => new FileToolError(`"${path}" is a file, not a folder. Use read_file.`),
  51: (_path, said) => new FileToolError(`The search could not be understood: ${said}`),
};

/** The error for a program that did not exit with 0. */
export function toFileToolError(path: string, result: CommandResult): FileToolError {
  const said = result.output.text.trim();
  if (result.outcome === 'timed-out') {
    return new FileToolError(`This took more than a minute on "${path}" and was stopped. Use a narrower path.`);
  }
  const refusal = refusals[result.exitCode ?? -1];
  return (
    refusal?.(path, said) ??
    new FileToolError(`This failed on "${path}" (${result.outcome}, exit code ${result.exitCode}): ${said}`)
  );
}

function missingMessage(path: string, said: string): string {
  const facts = said.split('\n');
  const find = (mark: string): string[] =>
    facts.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const parts = [`There is no "${path}".`];
  const sameName = find('same name: ');
  if (sameName.length > 0) parts.push(`A file of that name is at ${sameName.map((name) => `"${name}"`).join(', ')}.`);
  const folder = find('folder: ')[0]?.replace(/^\//, '') || '.';
  const entries = find('entry: ');
  parts.push(
    entries.length > 0 ? `The folder "${folder}" holds: ${entries.join(', ')}.` : `The folder "${folder}" is empty.`,
  );
  return parts.join(' ');
}
