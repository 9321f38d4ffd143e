import { readScript, type ScriptName } from '../docker/scripts.ts';
import type { CommandResult } from '../sandbox.ts';
import { FileToolError } from './errors.ts';
import { toFileToolError } from './file-answer.ts';
import type { FileSandbox, FileToolCall } from './file-sandbox.ts';

/** Milliseconds that a file tool may take: far more than anything needs, except searching something huge. */
const timeLimitMs = 60_000;

export interface FileScript {
  name: ScriptName;
  path: string;
  values?: Record<string, string>;
  input?: string;
}

/**
 * Runs a file tool's program under the call's id and returns its result. An interrupted program is run again, up to twice, since all of them can be
 * repeated.
 * @throws {FileToolError} if the program refuses, or is interrupted three times.
 */
export async function runFileScript(
  sandbox: FileSandbox,
  call: FileToolCall,
  script: FileScript,
): Promise<{ id: string; result: CommandResult }> {
  if ([script.path, ...Object.values(script.values ?? {})].some((value) => value.includes('\0'))) {
    throw new FileToolError('A path or pattern cannot hold a NUL character.');
  }
  for (const id of [call.id, `${call.id}.again`, `${call.id}.once-more`]) {
    const result = await sandbox.run({
      id,
      script: readScript(script.name),
      timeoutMs: timeLimitMs,
      environment: { FILE_PATH: script.path, ...script.values },
      ...(script.input === undefined ? {} : { input: script.input }),
      ...(call.detach ? { detach: call.detach } : {}),
    });
    if (result.outcome === 'interrupted') continue;
    if (result.outcome === 'exited' && result.exitCode === 0) return { id, result };
    throw toFileToolError(script.path, result);
  }
  throw new FileToolError(`The sandbox stopped three times while this was done to "${script.path}". Try again.`);
}
