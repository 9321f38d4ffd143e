import { SandboxError } from '../../errors.ts';
import { exec } from './exec.ts';
import type { SandboxContainer } from './run-command.ts';
import type { ScriptName } from './scripts.ts';

/**
 * Runs one of the harness's own programs in a sandbox and returns its output.
 * @throws {SandboxError} HarnessFailed if its exit code is not 0.
 */
export function runScript(sandbox: SandboxContainer, name: ScriptName, ...values: string[]): Promise<Buffer> {
  return feedScript(sandbox, name, undefined, ...values);
}

/** The same for a program that reads an input. */
export async function feedScript(
  sandbox: SandboxContainer,
  name: ScriptName,
  input: Buffer | undefined,
  ...values: string[]
): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await exec({
    container: sandbox.container,
    command: ['bash', '-c', sandbox.script(name), 'longhaul', ...values],
    ...(input && { input }),
  });
  if (exitCode === 0) return stdout;
  throw new SandboxError(
    'HarnessFailed',
    `"${name}" failed in sandbox ${sandbox.name} with exit code ${exitCode}: ${stderr.trim() || stdout.toString('utf8').trim() || 'no output'}`,
  );
}
