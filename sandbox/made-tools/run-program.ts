import { SandboxError } from '../errors.ts';
import { readAsset } from '../read-asset.ts';
import type { CommandResult, Sandbox } from '../sandbox.ts';

export interface ProgramSignals {
  cancel?: AbortSignal | undefined;
  detach?: AbortSignal | undefined;
}

const files = { check: ['check-imports.py', 'check.py'], run: ['run.py'] };

/**
 * Runs one of the harness's Python programs for made tools in a sandbox, passing the request as JSON, and returns the JSON on its last line of
 * output.
 */
export async function runProgram(
  sandbox: Pick<Sandbox, 'name' | 'run'>,
  { id, program, request, timeoutMs }: { id: string; program: keyof typeof files; request: unknown; timeoutMs: number },
  { cancel, detach }: ProgramSignals,
): Promise<{ answer: unknown } | { outcome: CommandResult['outcome']; said: string }> {
  const text = files[program].map((file) => readAsset(`made-tools/${file}`)).join('');
  const result = await sandbox.run({
    id,
    // The program comes through its own file descriptor, so stdin stays free for the request.
    script: `exec python3 -I -W ignore /dev/fd/4 4<<'LONGHAUL_PROGRAM'\n${text}\nLONGHAUL_PROGRAM\n`,
    input: JSON.stringify(request),
    timeoutMs,
    ...(cancel && { cancel }),
    ...(detach && { detach }),
  });
  const said = result.output.text.slice(-500);
  if (result.outcome !== 'exited') return { outcome: result.outcome, said };
  const last = result.output.text.trimEnd().split('\n').at(-1) ?? '';
  try {
    return { answer: JSON.parse(last) };
  } catch (cause) {
    // The request may crash the program, which is not the sandbox's fault.
    if (result.exitCode !== 0) return { outcome: 'interrupted', said };
    throw new SandboxError(
      'HarnessFailed',
      `Expected JSON from the program "${program}" in sandbox ${sandbox.name}, got: ${said}`,
      { cause },
    );
  }
}
