import type { StepResult } from '../../domain/project/settings.ts';
import type { HarnessCommand } from '../sandbox/harness-command.ts';

/** So many commands run side by side on a commit: a sandbox host has two processors at least. */
export const maxSideBySide = 2;

/** A commit's files after the set-up. Each command begins from them in a fork of its own, without network, and leaves nothing behind. */
export interface PreparedCommit {
  /** The id of the image in which commands run. */
  image: string;
  /** Runs it beside at most `maxSideBySide - 1` others. */
  run(command: PreparedCommand): Promise<StepResult>;
}

export type PlainCommand = Omit<HarnessCommand, 'id'>;

export interface PreparedCommand extends PlainCommand {
  /** Files that are put in place first. */
  files?: PlacedFile[];
  /** Whether some of them are checks that must fail, or the command itself must; said to the harness's own script alone. */
  isSpoiled?: boolean;
  /** What the command runs, with the texts of scripts and targets that it calls as they were before the work; the command itself if absent. */
  runs?: string;
}

export interface PlacedFile {
  path: string;
  /** A script with a `#!` line can be executed; null for a file that is removed. */
  content: string | null;
}
