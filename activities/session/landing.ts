import type { SessionEnd } from '../../db/project/end-session.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { preview } from '../../domain/storable-text.ts';
import { GitError, type GitErrorCode, isGitError } from '../../git/errors.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';
import { beating } from '../heartbeat.ts';
import { isReportedAt, reportDelay } from '../report-delay.ts';
import { commitWork, type SessionCommit, sessionRef } from './session-commit.ts';

/** The commit to land: the same one while the head is its parent, else the work merged onto the head; or why it cannot be merged. */
export type Merged = { commit: string; landing: number } | { refused: string };

export interface MergeInput extends SessionCommit {
  /** Commit the work anew even if the head has not moved: it is verified again. */
  again: boolean;
}

export interface LandingInput extends SessionCommit {
  /** Which try at landing it is, from 1. */
  tries: number;
  reason: string;
  workflowId: string;
  workflowRunId: string;
}

/** Whether the branch has the work; otherwise what was in the way, in a few words. */
export interface Landing {
  landed: boolean;
  inTheWay?: string;
}

/** What only the person can remove from the way of a landing. */
const obstacles: GitErrorCode[] = [
  'RepositoryBusy',
  'RepositoryLocked',
  'FilesInTheWay',
  'FilesHeld',
  'FilesNotFollowed',
  'BranchCheckedOutElsewhere',
];

/** The activities that land a verified commit. */
export function createLandingActivities(
  { database, openRepository }: Dependencies,
  endSession: (end: Omit<SessionEnd, 'tokens' | 'filesChanged' | 'needsPerson'>) => Promise<unknown>,
) {
  return { mergeOntoHead: beating(mergeOntoHead), landCommit: beating(landCommit) };

  /** Merges a session's work onto the head, after committing the person's changes. */
  async function mergeOntoHead({ projectId, sessionId, commit, landing, again }: MergeInput): Promise<Merged> {
    const repository = await open(projectId);
    const session = await readSession(database, sessionId);
    const number = landing + 1;
    const earlier = await repository.resolve(sessionRef(sessionId, number));
    if (earlier) return { commit: earlier, landing: number };
    const base = await repository.resolve(`${commit}^`);
    if (!base) throw new Error(`Expected a commit of ${sessionId} to have a parent, got ${commit}.`);
    const { head } = await repository.commitPersonChanges();
    if (!again && (head === base || (await repository.isAncestor(commit, head)))) return { commit, landing };
    const merged = await repository.mergeTrees({ base, ours: commit, onto: head });
    if ('conflicts' in merged) {
      const files = merged.conflicts.join(', ');
      return {
        refused: `The same lines were changed meanwhile in ${files}. Those changes stay; redo the work on top of them.`,
      };
    }
    const work = { number, tree: merged.tree, parent: head };
    return { commit: await commitWork({ database, repository }, session, work), landing: number };
  }

  /** Moves the branch to a verified commit and records the pass; refuses if a person has committed or edited meanwhile. */
  async function landCommit(input: LandingInput): Promise<Landing> {
    const { projectId, sessionId, commit } = input;
    const session = await readSession(database, sessionId);
    if (session.status !== 'RUNNING') return { landed: true };
    const repository = await open(projectId);
    const parent = await repository.resolve(`${commit}^`);
    const head = await repository.head();
    try {
      // A person may have committed on top of the branch after an earlier attempt moved it.
      const isThere = head !== undefined && head !== commit && (await repository.isAncestor(commit, head));
      if (!isThere) await repository.moveBranch(parent, commit);
    } catch (error) {
      // The branch has moved but its files have not followed: retried until they have.
      if ((await repository.head()) === commit && !isGitError(error, 'FilesNotFollowed')) {
        if (!(error instanceof GitError)) throw error;
        throw retryableFailure('RepositoryBusy', error.message, { cause: error });
      }
      // Retried by the workflow, which can be cancelled between tries. The commit stays, verified as it is.
      if (isGitError(error, ...obstacles)) {
        const busy = terminalFailure('RepositoryBusy', error.message, { cause: error });
        if (isReportedAt(input.tries)) await reportDelay(database, { kind: 'project', id: projectId }, busy);
        throw busy;
      }
      if (!isGitError(error, 'BranchMoved', 'UncommittedChanges')) throw error;
      const inTheWay = error.code === 'BranchMoved' ? 'new commits' : preview(error.paths.join(', '), 200);
      return { landed: false, inTheWay };
    }
    await endSession({ ...input, status: 'PASSED' });
    return { landed: true };
  }

  async function open(projectId: string): Promise<ProjectRepository> {
    const { folder, branch } = await readProject(database, projectId);
    return openRepository(folder, branch);
  }
}
