import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../../client/cli/run-command-line.ts';

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, on pipes. */
export async function runCli(
  parameters: string[],
  options: { environment?: Record<string, string | undefined>; folder?: string } = {},
): Promise<CommandResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await runCommandLine(parameters, {
    environment: { PATH: process.env.PATH, ...options.environment },
    folder: options.folder ?? process.cwd(),
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
  });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}
