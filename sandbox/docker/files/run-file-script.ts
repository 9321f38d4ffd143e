import { FileToolError } from '../../files/file-tool-error.ts';
import type { CommandResult, Sandbox } from '../../sandbox.ts';
import type { FileOperation } from '../../sandbox-files.ts';
import { readScript, type ScriptName } from '../commands/scripts.ts';
import { toFileToolError } from './refusal.ts';

/** Milliseconds that a file operation may take: far more than anything needs, except searching something huge. */
const timeLimitMs = 60_000;

/**
 * Runs a file script as a command under the operation's id. An interrupted script is run again, up to twice, since all of them can be repeated.
 * @throws {FileToolError} if the script refuses, or is interrupted three times.
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
    throw new FileToolError('A path or pattern cannot hold a NUL character.');
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
    throw toFileToolError(path, result);
  }
  throw new FileToolError(`The sandbox stopped three times while this was done to "${path}". Try again.`);
}
