import type { StepResult } from '../../domain/project/settings.ts';
import type { HarnessCommand } from '../sandbox/harness-command.ts';

/** A commit's files after the set-up. Each command begins from them in a fork of its own, without network, and leaves nothing behind. */
export interface PreparedCommit {
  run(command: PreparedCommand): Promise<StepResult>;
}

export interface PreparedCommand extends Omit<HarnessCommand, 'id'> {
  /** Files that are replaced first, by path, with their content; such a command has no input. */
  files?: Array<[path: string, content: string]>;
}
