import { SandboxError } from '../../errors.ts';
import { fileRefusals, formatMissing } from '../../files/file-refusals.ts';
import type { CommandResult, Sandbox } from '../../sandbox.ts';
import type { FileOperation } from '../../sandbox-files.ts';
import { readScript, type ScriptName } from '../commands/scripts.ts';

/** Milliseconds that a file operation may take: far more than anything needs, except searching something huge. */
const timeLimitMs = 60_000;

/**
 * Runs a file script as a command under the operation's id. An interrupted script is run again, up to twice, since all of them can be repeated.
 * @throws {SandboxError} FileRefused if the script refuses, or is interrupted three times.
 */
export async function runFileScript(
  sandbox: Pick<Sandbox, 'run'>,
  { id: firstId, path, detach }: FileOperation,
  name: ScriptName,
  { values = {}, input }: { values?: Record<string, string | number>; input?: string } = {},
): Promise<{ id: string; output: CommandResult['output'] }> {
  const texts = Object.entries(values).map(([key, value]) => [key, String(value)]);
  const environment: Record<string, string> = { FILE_PATH: path, ...Object.fromEntries(texts) };
  if (Object.values(environment).some((value) => value.includes('\0'))) {
    throw new SandboxError('FileRefused', 'A path or pattern cannot contain a NUL character.');
  }
  for (const id of [firstId, `${firstId}.again`, `${firstId}.once-more`]) {
    const result = await sandbox.run({
      id,
      script: readScript(name),
      timeoutMs: timeLimitMs,
      environment,
      ...(input === undefined ? {} : { input }),
      ...(detach ? { detach } : {}),
    });
    if (result.outcome === 'interrupted') continue;
    if (result.outcome === 'exited' && result.exitCode === 0) return { id, output: result.output };
    throw toFileRefusal(path, result);
  }
  throw new SandboxError('FileRefused', `The sandbox stopped three times during this call on "${path}". Try again.`);
}

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
function toFileRefusal(path: string, result: CommandResult): SandboxError {
  const said = result.output.text.trim();
  if (result.outcome === 'timed-out') {
    return new SandboxError(
      'FileRefused',
      `The call took more than a minute on "${path}" and was stopped. Use a narrower path.`,
    );
  }
  const refusal = refusals[result.exitCode ?? -1];
  return new SandboxError(
    'FileRefused',
    refusal?.(path, said) ?? `The call failed on "${path}" (${result.outcome}, exit code ${result.exitCode}): ${said}`,
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
