import type { Configuration } from '../../config/configuration.ts';
import type { Longhaul } from '../longhaul.ts';
import type { ExitCode } from './exit-code.ts';

/** The streams and surroundings of one call of `longhaul`. */
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
  /** From the first call on, Ctrl-C and SIGTERM abort this signal instead of ending the process; a second one ends it. */
  interruptSignal(): AbortSignal;
  /** From the environment alone: what is needed to reach the stack. */
  configuration(): Promise<Configuration>;
  /** From `longhaul.config.ts` too, which is run for it: what its workers have once they start. */
  configurationWithFile(): Promise<Configuration>;
  /** Connects, does the work and closes the connection. */
  withLonghaul<Result>(work: (longhaul: Longhaul) => Promise<Result>): Promise<Result>;
  /** One line or more on stdout. */
  print(text: string): void;
  /** A JSON document on stdout. */
  printJson(value: unknown): void;
  /** A remark for a person, on stderr. */
  note(text: string): void;
  setExitCode(code: ExitCode): void;
}
