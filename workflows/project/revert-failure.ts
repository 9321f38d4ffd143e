import type { FailureType } from '../../domain/failure-types.ts';
import type { Revert } from '../../domain/project/messages.ts';

/** What `revertToCheckpoint` throws where it has changed nothing. */
const revertRefusals: FailureType[] = [
  'RepositoryUnusable',
  'RepositoryBusy',
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
  return `The revert to ${request.checkpoint} is half done: the branch may not be where the features are. \`resume\`, or the same revert again, finishes it.`;
}
