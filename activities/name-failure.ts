import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { DrizzleQueryError } from 'drizzle-orm';
import { findRefusal } from '../db/connection/query-errors.ts';
import { findOutage } from '../db/connection/retry-until-available.ts';
import { type FailureType, failureTypes } from '../domain/failure-types.ts';
import { LonghaulError } from '../domain/longhaul-error.ts';
import { ModelError } from '../domain/model/model-error.ts';
import { preview } from '../domain/storable-text.ts';
import {
  BranchMovedError,
  DetachedHeadError,
  DiskFullError,
  FilesNotFollowedError,
  FolderIsFileError,
  FolderNotEmptyError,
  FolderNotWritableError,
  GitError,
  RefTakenError,
  RepositoryBusyError,
  RepositoryLockedError,
  UncommittedChangesError,
} from '../git/errors.ts';
import {
  CommandNotEndedError,
  ContainerHostUnavailableError,
  ImageMissingError,
  SandboxDiskFullError,
  SandboxFailureError,
  SandboxLostError,
  SandboxStoppedError,
  WorkspaceAlreadyLoadedError,
  WorkspaceRepositoryDamagedError,
} from '../sandbox/errors.ts';
import { retryableFailure, terminalFailure } from './failures.ts';

type ErrorClass = abstract new (...rest: never[]) => Error;

interface NamedCause {
  errors: ErrorClass[];
  type: FailureType;
  /** Another attempt may succeed. */
  retryable: boolean;
}

/** From the errors of `db/`, `git/` and `sandbox/` to failure types; the first row that fits counts. */
const causes: NamedCause[] = [
  {
    errors: [FolderIsFileError, FolderNotEmptyError, FolderNotWritableError, DetachedHeadError],
    type: 'FolderUnusable',
    retryable: false,
  },
  // The person's own git is in the way, or what keeps git from writing: a merge that they began may take them a day.
  {
    errors: [RepositoryBusyError, RepositoryLockedError, FilesNotFollowedError],
    type: 'RepositoryBusy',
    retryable: true,
  },
  { errors: [DiskFullError], type: 'DiskFull', retryable: true },
  // Nothing runs there, not even what would make room, so that a person has to: a project waits for them, and in a chat they are told at once.
  { errors: [SandboxDiskFullError], type: 'DiskFull', retryable: false },
  // An edit or commit of theirs at this moment is in the way, or an attempt that was presumed dead, which does not last.
  { errors: [BranchMovedError, UncommittedChangesError, RefTakenError], type: 'RepositoryUnusable', retryable: true },
  { errors: [GitError], type: 'RepositoryUnusable', retryable: false },
  { errors: [ContainerHostUnavailableError], type: 'SandboxUnavailable', retryable: true },
  { errors: [SandboxLostError, SandboxStoppedError], type: 'SandboxLost', retryable: true },
  { errors: [ImageMissingError], type: 'SandboxUnavailable', retryable: false },
  // Something that an agent started may have been in the way, or have ended the harness's own program.
  {
    errors: [SandboxFailureError, CommandNotEndedError, WorkspaceRepositoryDamagedError],
    type: 'WorkspaceUnusable',
    retryable: true,
  },
  { errors: [WorkspaceAlreadyLoadedError], type: 'Internal', retryable: false },
];

/** Gives an error that an activity throws its failure type; what already has one stays; what none fits stays as it is and is retried. */
export function nameFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  // Of a model of vectors, whatever was embedded for; those of other models are named where they are asked.
  if (error instanceof ModelError) return retryableFailure(error.code, error.message);
  if (error instanceof LonghaulError) {
    const type =
      failureTypes.find((one) => one === error.code) ?? (error.kind === 'defect' ? 'Internal' : 'InvalidInput');
    return (error.retryable ? retryableFailure : terminalFailure)(type, error.message, { cause: error });
  }
  const named = causes.find(({ errors }) => errors.some((errorClass) => error instanceof errorClass));
  if (!named) return nameQueryFailure(error) ?? error;
  const { message } = error as Error;
  return (named.retryable ? retryableFailure : terminalFailure)(named.type, message, { cause: error });
}

/** Keeps only the driver's error as the cause: drizzle's contains the query's parameters, which must not be in the history. */
function nameQueryFailure(error: unknown): ApplicationFailure | undefined {
  const outage = findOutage(error);
  if (outage) {
    const message = `Postgres could not be reached (${outage.message || outage.code}).`;
    return retryableFailure('DatabaseUnavailable', message, { cause: outage });
  }
  const refusal = findRefusal(error);
  if (refusal)
    return terminalFailure('InvalidInput', tellQuery('Postgres refused a value', refusal), { cause: refusal });
  if (!(error instanceof DrizzleQueryError) || !error.cause) return undefined;
  return retryableFailure('Internal', tellQuery('A query failed', error.cause), { cause: error.cause });
}

function tellQuery(what: string, { message }: Error): string {
  return `${what}: ${preview(message, 300)}.`;
}
