import type { FailureType } from '../../domain/failure-types.ts';
import type { Revert } from '../../domain/project/messages.ts';

/** What `revertToCheckpoint` throws if it has changed nothing. */
const revertRefusals: FailureType[] = [
  'RepositoryUnusable',
  'RepositoryBusy',
  'FolderNotAllowed',
  'FolderUnusable',
  'UncommittedChanges',
  'UnknownCheckpoint',
  'UnknownProject',
];

/** The type of a failure that says that a revert was refused and has changed nothing; undefined for any other. */
export function findRevertRefusal(type: string | undefined): FailureType | undefined {
  return revertRefusals.find((one) => one === type);
}

export function describeUnfinishedRevert({ request }: Revert): string {
  return `The revert to ${request.checkpoint} is incomplete: the branch and the features may not match. \`resume\` or the same revert completes it.`;
}
