import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../cli/program/run-command-line.ts';

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, on pipes or, if something is typed, on a terminal. */
export async function runCli(
  parameters: string[],
  options: {
    environment?: Record<string, string | undefined>;
    folder?: string;
    /** What a person types; if undefined, there is no terminal. */
    typed?: string;
    /** What comes through a pipe, to its end. */
    piped?: string;
  } = {},
): Promise<CommandResult> {
  const onTerminal = options.typed === undefined ? {} : { isTTY: true };
  const stdin = Object.assign(new PassThrough(), onTerminal);
  const stdout = Object.assign(new PassThrough(), onTerminal);
  const stderr = new PassThrough();
  if (options.typed !== undefined) stdin.write(options.typed);
  if (options.piped !== undefined) stdin.end(options.piped);
  const exitCode = await runCommandLine(parameters, {
    environment: { PATH: process.env.PATH, ...options.environment },
    folder: options.folder ?? process.cwd(),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
  });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}
