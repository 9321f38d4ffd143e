import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  DelegationLimitError,
  FeatureTransitionError,
  FolderInUseError,
  MessageUnusableError,
  RunEndedError,
  UnknownChatError,
  UnknownCheckpointError,
  UnknownFeatureError,
  UnknownProjectError,
  UnknownRunError,
} from '../db/errors.ts';
import {
  BranchMovedError,
  DetachedHeadError,
  FolderIsFileError,
  FolderNotEmptyError,
  FolderNotWritableError,
  GitError,
  RepositoryBusyError,
  RepositoryLockedError,
  UncommittedChangesError,
} from '../git/errors.ts';
import {
  ContainerHostUnavailableError,
  ImageMissingError,
  SandboxDiskFullError,
  SandboxLostError,
  SandboxStoppedError,
} from '../sandbox/errors.ts';
import type { FailureType } from '../workflows/failure-types.ts';
import { finalFailure, passingFailure } from './failures.ts';

type ErrorClass = abstract new (...rest: never[]) => Error;

interface NamedCause {
  errors: ErrorClass[];
  type: FailureType;
  /** Another attempt may succeed. */
  passing: boolean;
}

/** From the errors of `db/`, `git/` and `sandbox/` to failure types; the first row that fits counts. */
const causes: NamedCause[] = [
  { errors: [UnknownProjectError], type: 'UnknownProject', passing: false },
  { errors: [UnknownFeatureError], type: 'UnknownFeature', passing: false },
  { errors: [UnknownCheckpointError], type: 'UnknownCheckpoint', passing: false },
  { errors: [UnknownChatError], type: 'UnknownChat', passing: false },
  { errors: [UnknownRunError, RunEndedError, MessageUnusableError], type: 'InvalidInput', passing: false },
  { errors: [DelegationLimitError], type: 'DelegationLimit', passing: false },
  { errors: [FolderInUseError], type: 'FolderInUse', passing: false },
  {
    errors: [FolderIsFileError, FolderNotEmptyError, FolderNotWritableError, DetachedHeadError],
    type: 'FolderUnusable',
    passing: false,
  },
  { errors: [FeatureTransitionError], type: 'Internal', passing: false },
  // The person's own git, or an edit of theirs at this moment, is in the way; both pass.
  {
    errors: [RepositoryBusyError, RepositoryLockedError, BranchMovedError, UncommittedChangesError],
    type: 'RepositoryUnusable',
    passing: true,
  },
  { errors: [GitError], type: 'RepositoryUnusable', passing: false },
  { errors: [ContainerHostUnavailableError], type: 'SandboxUnavailable', passing: true },
  { errors: [SandboxLostError, SandboxStoppedError], type: 'SandboxLost', passing: true },
  { errors: [ImageMissingError], type: 'SandboxUnavailable', passing: false },
  { errors: [SandboxDiskFullError], type: 'WorkspaceUnusable', passing: false },
];

/** Gives an error that an activity throws its failure type; what already has one stays, what none fits may pass. */
export function nameFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure || !(error instanceof Error))
    return error;
  const named = causes.find(({ errors }) => errors.some((errorClass) => error instanceof errorClass));
  if (!named) return error;
  return (named.passing ? passingFailure : finalFailure)(named.type, error.message, { cause: error });
}
