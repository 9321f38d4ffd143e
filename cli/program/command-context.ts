import type { Longhaul } from '../../client/longhaul.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { ExitCode } from './exit-code.ts';

/** The streams and surroundings of one `longhaul` invocation. */
export interface CommandLine {
  environment: Record<string, string | undefined>;
  /** The current folder. */
  folder: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** What a command works with. */
export interface CommandContext extends CommandLine {
  /** From its first call on, Ctrl-C and SIGTERM abort this signal instead of ending the process; a second one ends the process. */
  interruptSignal(): AbortSignal;
  /** From the environment alone, which is enough to reach the stack. */
  configuration(): Promise<Configuration>;
  /** Also reads (and runs) `longhaul.config.ts`: the configuration that workers would start with. */
  configurationWithFile(): Promise<Configuration>;
  /** The text with `longhaul` commands as a person here calls them. */
  withCommandName(text: string): string;
  /** Connects, does the work and closes the connection. */
  withLonghaul<Result>(work: (longhaul: Longhaul) => Promise<Result>): Promise<Result>;
  /** Prints one or more lines to stdout, unchanged. */
  print(text: string): void;
  /** Prints Longhaul's own text to stdout, with `longhaul` commands as a person here calls them. */
  printMessage(text: string): void;
  /** Prints a JSON document to stdout. */
  printJson(value: unknown): void;
  /** Writes a text of agents or files to stdout: without control characters to a terminal, unchanged to a file or pipe. */
  writeText(text: string): void;
  /** Prints a note for a person to stderr, with `longhaul` commands as a person here calls them, without colours. */
  note(text: string): void;
  setExitCode(code: ExitCode): void;
}
