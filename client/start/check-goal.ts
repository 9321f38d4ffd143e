import { maxGoalLength } from '../../domain/project/messages.ts';
import type { ProposalInput } from '../../domain/project/proposal.ts';
import { checkProposal, type Proposal } from '../../domain/project/proposal.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import { ClientError } from '../errors.ts';
import type { SettingsRequest } from './check-settings.ts';

/**
 * Returns the goal trimmed.
 * @throws {ClientError} `InvalidInput` if it is empty or too long.
 */
export function checkGoal(goal: string, origin = 'the goal'): string {
  const text = goal.trim();
  if (!text) {
    throw new ClientError(
      'InvalidInput',
      `Expected a goal, but ${origin} is empty. Describe what to build: \`longhaul start "a command-line tool that ..."\`, or --file goal.md.`,
    );
  }
  if (text.length > maxGoalLength) {
    throw new ClientError(
      'InvalidInput',
      `Expected a goal of at most ${maxGoalLength.toLocaleString('en')} characters, but ${origin} has ${text.length.toLocaleString('en')}. Put long material into the project's folder and refer to it in the goal.`,
    );
  }
  return text;
}

/**
 * Validates a person's own list of features like an initializer's.
 * @throws {ClientError} `InvalidInput` with one line per complaint.
 */
export function checkFeatures(value: unknown, origin = 'The list of features'): Proposal {
  const checked = checkProposal(value);
  if ('proposal' in checked) return checked.proposal;
  throw new ClientError(
    'InvalidInput',
    `${origin} cannot be used:\n${checked.complaints.map((one) => `  ${one}`).join('\n')}`,
  );
}

export interface StartRequest {
  goal: string;
  /** Shown in lists and part of the project's id; defaults to the goal's first words. */
  name?: string | undefined;
  /** An absolute path on the worker's machine; defaults to a folder below Longhaul's data folder. */
  folder?: string | undefined;
  /** Accept a folder that has files but no git repository. */
  adopt?: boolean | undefined;
  /** Features to use instead of an initializer's. */
  features?: ProposalInput | undefined;
  settings?: SettingsRequest | undefined;
  /** Called with each event of the project until the connection is closed; an error it throws becomes an unhandled rejection. */
  onProgress?: ((event: ProjectEvent) => void | Promise<void>) | undefined;
}
