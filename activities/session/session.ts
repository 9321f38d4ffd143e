import { Context, log } from '@temporalio/activity';
import { removeSecrets } from '../../db/memory/quality/secrets.ts';
import { endSession, type SessionEnd } from '../../db/project/end-session.ts';
import { readFeatures } from '../../db/project/features.ts';
import { inProject, type ProjectRow } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { findSession, readSession, type SessionRow, updateSession } from '../../db/project/sessions.ts';
import { closeRuns } from '../../db/transcript/close-runs.ts';
import { findRun } from '../../db/transcript/transcript.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import type { SessionOutcome } from '../../domain/project/messages.ts';
import { preview } from '../../domain/storable-text.ts';
import {
  BranchCheckedOutElsewhereError,
  BranchMovedError,
  BundleTooLargeError,
  FilesHeldError,
  FilesInTheWayError,
  FilesNotFollowedError,
  GitError,
  InvalidSnapshotError,
  NestedRepositoryError,
  RefTakenError,
  RepositoryBusyError,
  RepositoryLockedError,
  UncommittedChangesError,
} from '../../git/errors.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import {
  NestedInWorkspaceError,
  SnapshotTooLargeError,
  WorkspaceRepositoryDamagedError,
  WorkspaceUnreadableError,
} from '../../sandbox/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';
import { beating } from '../heartbeat.ts';
import { isReportedAt, reportDelay } from '../report-delay.ts';
import { findWhole } from '../sandbox/reopen-sandbox.ts';

export interface SessionName {
  projectId: string;
  sessionId: string;
}

export interface LandingInput extends SessionName {
  commit: string;
  landing: number;
  /** Which try at landing it is, from 1. */
  tries: number;
  reason: string;
  workflowId: string;
  workflowRunId: string;
}

/** Whether the branch has the work; else what was in the way, in a few words. */
export interface Landing {
  landed: boolean;
  inTheWay?: string;
}

export type CommitResult = { commit: string; refused?: undefined } | { commit?: undefined; refused: string };

/** What is wrong with the work itself: the attempt does not pass, the next one is told. */
const refusals = [
  NestedRepositoryError,
  NestedInWorkspaceError,
  WorkspaceUnreadableError,
  SnapshotTooLargeError,
  BundleTooLargeError,
  InvalidSnapshotError,
];

/** What only the person can put out of the way of a landing. */
const obstacles = [
  RepositoryBusyError,
  RepositoryLockedError,
  FilesInTheWayError,
  FilesHeldError,
  FilesNotFollowedError,
  BranchCheckedOutElsewhereError,
];

/** About a minute, or five where the store hangs. The feature has the lesson too, and the project waits for its session to end. */
const attemptsAtLesson = 20;

/** The activities that begin a session, commit its work, make it a checkpoint, and end it. */
export function createSessionActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  return {
    beginSession: beating(beginSession),
    commitSession: beating(commitSession),
    landSession: beating(landSession),
    endSession: end,
  };

  /** Commits what a person changed as theirs and fixes the commit that the session works on. */
  async function beginSession({
    projectId,
    sessionId,
  }: SessionName): Promise<{ ended?: SessionOutcome; baseCommit: string }> {
    const session = await readSession(database, sessionId);
    if (session.status !== 'RUNNING') {
      return { ended: { status: session.status, reason: session.reason ?? '' }, baseCommit: session.baseCommit ?? '' };
    }
    if (session.baseCommit) return { baseCommit: session.baseCommit };
    const { repository } = await open(projectId);
    const { head } = await repository.commitPersonChanges();
    await updateSession(database, sessionId, { baseCommit: head });
    return { baseCommit: head };
  }

  /** Makes one commit of the session's work on top of the branch; kept under a ref, so that a retry finds it. */
  async function commitSession(input: SessionName & { landing: number }): Promise<CommitResult> {
    const { projectId, sessionId, landing } = input;
    const { project, repository } = await open(projectId);
    const ref = `refs/longhaul/sessions/${sessionId}/${landing}`;
    const earlier = await repository.resolve(ref);
    if (earlier) return { commit: earlier };

    const session = await readSession(database, sessionId);
    const base = session.baseCommit;
    if (!base) throw new Error(`Expected the session ${sessionId} to have begun at a commit.`);
    // No other is opened here, which a retry would find and commit without the work.
    const sandbox = await findWhole(dependencies, sessionId);
    if (!sandbox)
      throw terminalFailure(
        'SandboxLost',
        'The sandbox was lost before its work was committed; another session begins anew.',
      );
    const snapshot = await takeSnapshot(sandbox, repository, base);
    if ('refused' in snapshot) return snapshot;
    const { head } = await repository.commitPersonChanges();
    const merged =
      head === base
        ? { tree: snapshot.tree }
        : await repository.mergeTrees({ base, ours: snapshot.commit, onto: head });
    if ('conflicts' in merged) {
      return {
        refused: `A person changed the same lines meanwhile, in ${merged.conflicts.join(', ')}. Their changes stay; the work has to be done again on top of them.`,
      };
    }
    const commit = await repository.commit({
      tree: merged.tree,
      parents: [head],
      ...(await messageOf(project, session)),
    });
    return { commit: await keepFirst(repository, ref, commit) };
  }

  /** An attempt that was presumed dead may have kept its commit meanwhile; the first one stays. */
  async function keepFirst(repository: ProjectRepository, ref: string, commit: string): Promise<string> {
    try {
      await repository.keep(ref, commit);
      return commit;
    } catch (error) {
      if (error instanceof RefTakenError) return error.found;
      throw error;
    }
  }

  async function takeSnapshot(
    sandbox: Sandbox,
    repository: ProjectRepository,
    base: string,
  ): Promise<{ tree: string; commit: string } | { refused: string }> {
    const take = async () => {
      const { bundle, commit } = await sandbox.snapshot(base);
      return { commit, ...(await repository.importSnapshot(bundle, commit, base)) };
    };
    try {
      return await take();
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal))
        return { refused: preview((error as Error).message, 480) };
      if (!(error instanceof WorkspaceRepositoryDamagedError)) throw error;
      await sandbox.repairRepository(await repository.exportGitFolder(base), base);
      return take();
    }
  }

  async function messageOf(project: ProjectRow, session: SessionRow) {
    const features = await readFeatures(database, project.id);
    const feature = features.find((one) => one.id === session.featureId);
    const name = feature?.name ?? session.featureId;
    const work = await findRun(database, `${session.id}-work`);
    const told = (work?.result ?? feature?.description ?? '').trim();
    const [firstLine = ''] = told.split('\n');
    return {
      message: `${preview(`${name}: ${firstLine}`, 72)}\n\n${told}`,
      trailers: {
        'Longhaul-Project': project.id,
        'Longhaul-Feature': name,
        'Longhaul-Session': session.id,
        'Longhaul-Checkpoint': `${project.id}/c${session.number}`,
      },
    };
  }

  /** Moves the branch to a verified commit and records the pass; refuses where a person has committed or edited meanwhile. */
  async function landSession(input: LandingInput): Promise<Landing> {
    const { projectId, sessionId, commit } = input;
    const session = await readSession(database, sessionId);
    if (session.status !== 'RUNNING') return { landed: true };
    const { repository } = await open(projectId);
    const parent = await repository.resolve(`${commit}^`);
    const head = await repository.head();
    try {
      // A person may have committed on top of what an earlier attempt moved the branch to.
      const isThere = head !== undefined && head !== commit && (await repository.isAncestor(commit, head));
      if (!isThere) await repository.moveBranch(parent, commit);
    } catch (error) {
      // The branch has moved but its files have not followed: to be retried until they have, at once where git says nothing against it.
      if ((await repository.head()) === commit && !(error instanceof FilesNotFollowedError)) {
        if (!(error instanceof GitError)) throw error;
        throw retryableFailure('RepositoryBusy', error.message, { cause: error });
      }
      // Retried by the workflow, which can be cancelled between tries. The commit stays, verified as it is.
      if (obstacles.some((obstacle) => error instanceof obstacle)) {
        const { message } = error as Error;
        const busy = terminalFailure('RepositoryBusy', message, { cause: error });
        if (isReportedAt(input.tries)) await reportDelay(database, projectId, busy);
        throw busy;
      }
      if (!(error instanceof BranchMovedError || error instanceof UncommittedChangesError)) throw error;
      const inTheWay = error instanceof BranchMovedError ? 'new commits' : preview(error.paths.join(', '), 200);
      return { landed: false, inTheWay };
    }
    await end({ ...input, status: 'PASSED' });
    return { landed: true };
  }

  async function end(input: Omit<SessionEnd, 'tokens' | 'filesChanged'>): Promise<SessionEnd['status']> {
    const session = await findSession(database, input.sessionId);
    if (!session) return 'INTERRUPTED';
    const { repository } = await open(input.projectId);
    const changed = input.commit ? await repository.changedFiles(`${input.commit}^`, input.commit) : [];
    const { inputTokens, outputTokens } = await sumUsage(database, { sessionId: input.sessionId });
    await closeRuns(database, [input.sessionId], input.reason);
    const status = await endSession(database, {
      ...input,
      filesChanged: changed.map((file) => file.path),
      tokens: inputTokens + outputTokens,
    });
    if (input.lesson && status === 'FAILED') await rememberLesson(session, input.lesson);
    return status;
  }

  async function rememberLesson(session: SessionRow, lesson: string): Promise<void> {
    if (Context.current().info.attempt > attemptsAtLesson) {
      log.warn('A lesson could not be written to the memories; its feature has it.', { session: session.id });
      return;
    }
    const project = await readProject(database, session.projectId);
    const feature = session.featureId.slice(session.featureId.lastIndexOf('/') + 1);
    await dependencies.memory.remember([
      {
        id: `${session.id}/lesson`,
        kind: 'lesson',
        scope: 'global',
        text: removeSecrets(`Lesson of "${feature}" in the project "${project.name}": ${lesson}`),
        projectId: project.id,
        lineageId: session.lineageId,
        sequence: session.sequence,
        source: { id: session.id },
        createdAt: new Date(),
      },
    ]);
  }

  async function open(projectId: string): Promise<{ project: ProjectRow; repository: ProjectRepository }> {
    const project = await inProject(database, projectId, async (transaction) => transaction.project);
    return { project, repository: await dependencies.openRepository(project.folder, project.branch) };
  }
}
