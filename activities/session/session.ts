import { Context, log } from '@temporalio/activity';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import { endSession, type SessionEnd } from '../../db/project/end-session.ts';
import { readProject } from '../../db/project/projects.ts';
import { findSession, readSession, type SessionRow, updateSession } from '../../db/project/sessions.ts';
import { closeRuns } from '../../db/transcript/close-runs.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import type { SessionOutcome } from '../../domain/project/messages.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { preview } from '../../domain/storable-text.ts';
import { isGitError } from '../../git/errors.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { isSandboxError } from '../../sandbox/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';
import { beating } from '../heartbeat.ts';
import { findWhole } from '../sandbox/reopen-sandbox.ts';
import { createApplyChecks } from './apply-checks.ts';
import { createLandingActivities } from './landing.ts';
import { createPermitLanding } from './permit-landing.ts';
import { createChangeActivities } from './request-change.ts';
import { commitWork, type SessionName, sessionRef } from './session-commit.ts';

export type CommitResult = { commit: string; refused?: undefined } | { commit?: undefined; refused: string };

/** The feature waits for a person if it `needsPerson`. */
type EndInput = Omit<SessionEnd, 'tokens' | 'filesChanged' | 'needsPerson'> & { needsPerson?: boolean | undefined };

export interface SessionBegin extends SessionName {
  /** Its work is what is in the project's folder. */
  verifyOnly?: boolean;
}

/** A fault of the work itself: the attempt fails, and the next one gets the reason. */
function isBadWork(error: unknown): error is Error {
  return (
    isSandboxError(error, 'NestedRepository', 'WorkspaceUnreadable', 'SnapshotTooLarge', 'OutputTooLong') ||
    isGitError(error, 'NestedRepository', 'BundleTooLarge', 'InvalidSnapshot')
  );
}

/** About a minute, or five if the store hangs. The feature has the lesson too, and the project waits for its session to end. */
const attemptsAtLesson = 20;

/** The activities that start a session, commit its work, land the commit, and end it. */
export function createSessionActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  return {
    beginSession: beating(beginSession),
    commitSession: beating(commitSession),
    endSession: end,
    applyChecks: beating(createApplyChecks(dependencies)),
    ...createChangeActivities(dependencies),
    permitLanding: beating(createPermitLanding(dependencies)),
    ...createLandingActivities(dependencies, end),
  };

  /**
   * Commits the person's changes and fixes the commit that the session starts from: the head or, if they are the work to be verified, the last
   * checkpoint. `review`: whether its work is reviewed.
   */
  async function beginSession({
    projectId,
    sessionId,
    verifyOnly,
  }: SessionBegin): Promise<{ ended?: SessionOutcome; baseCommit: string; review?: boolean }> {
    const session = await readSession(database, sessionId);
    if (session.status !== 'RUNNING') {
      const outcome = { PASSED: 'landed', FAILED: 'failed', INTERRUPTED: 'interrupted' } as const;
      const ended = { kind: outcome[session.status], reason: session.reason ?? '' };
      return { ended, baseCommit: session.baseCommit ?? '' };
    }
    const { review } = dependencies.agents;
    if (session.baseCommit) return { baseCommit: session.baseCommit, review };
    const repository = await openRepository(projectId);
    const { head } = await repository.commitPersonChanges();
    const latest = verifyOnly ? (await readCheckpoints(database, projectId)).at(-1) : undefined;
    const baseCommit = latest?.commit ?? head;
    await updateSession(database, sessionId, { baseCommit });
    return { baseCommit, review };
  }

  /** Makes one commit of the session's work on the commit that it began with; kept under a ref, so that a retry finds it. */
  async function commitSession({ projectId, sessionId, verifyOnly }: SessionBegin): Promise<CommitResult> {
    const repository = await openRepository(projectId);
    const session = await readSession(database, sessionId);
    const base = session.baseCommit;
    if (!base) throw new Error(`Expected the session ${sessionId} to have begun at a commit.`);
    const earlier = await repository.resolve(sessionRef(sessionId, 1));
    if (earlier) return { commit: earlier };
    if (verifyOnly) return { commit: await commitPresent(repository, session, base) };
    // Does not open another sandbox: a retry would find and commit it without the work.
    const sandbox = await findWhole(dependencies, sessionId);
    if (!sandbox)
      throw terminalFailure(
        'SandboxLost',
        'The sandbox was lost before its work was committed; another session starts over.',
      );
    const snapshot = await takeSnapshot(sandbox, repository, base);
    if ('refused' in snapshot) return snapshot;
    const work = { number: 1, tree: snapshot.tree, parent: base };
    return { commit: await commitWork({ database, repository }, session, work) };
  }

  /** The state of the project's folder as the work of a session that has no agent. */
  async function commitPresent(repository: ProjectRepository, session: SessionRow, parent: string): Promise<string> {
    const { head } = await repository.commitPersonChanges();
    return commitWork({ database, repository }, session, { number: 1, tree: await repository.treeOf(head), parent });
  }

  async function takeSnapshot(
    sandbox: Sandbox,
    repository: ProjectRepository,
    base: string,
  ): Promise<{ tree: string } | { refused: string }> {
    const take = async () => {
      const { bundle, commit } = await sandbox.snapshot(base);
      return repository.importSnapshot(bundle, commit, base);
    };
    try {
      return await take();
    } catch (error) {
      if (isBadWork(error)) return { refused: preview(error.message, 480) };
      if (!isSandboxError(error, 'RepositoryDamaged')) throw error;
      await sandbox.repairRepository(await repository.exportGitFolder(base), base);
      return take();
    }
  }

  async function end({ needsPerson, ...input }: EndInput): Promise<SessionEnd['status']> {
    const session = await findSession(database, input.sessionId);
    if (!session) return 'INTERRUPTED';
    const { commit } = input;
    const changed = commit ? await (await openRepository(input.projectId)).changedFiles(`${commit}^`, commit) : [];
    const { inputTokens, outputTokens } = await sumUsage(database, { sessionId: input.sessionId });
    await closeRuns(database, [input.sessionId], input.reason);
    const status = await endSession(database, {
      ...input,
      ...(needsPerson && { needsPerson: dependencies.agents.permissions.requests }),
      filesChanged: changed.map((file) => file.path),
      tokens: inputTokens + outputTokens,
    });
    if (input.lesson && status === 'FAILED') await rememberLesson(session, input.lesson);
    return status;
  }

  async function rememberLesson(session: SessionRow, lesson: string): Promise<void> {
    if (Context.current().info.attempt > attemptsAtLesson) {
      log.warn('Could not write a lesson to the memories; it is stored with its feature.', { session: session.id });
      return;
    }
    const project = await readProject(database, session.projectId);
    const feature = session.featureId.slice(session.featureId.lastIndexOf('/') + 1);
    await dependencies.memory.remember([
      {
        id: `${session.id}/lesson`,
        kind: 'lesson',
        scope: 'project',
        text: scrub(`Lesson of "${feature}" in the project "${project.name}": ${lesson}`),
        projectId: project.id,
        lineageId: session.lineageId,
        sequence: session.sequence,
        source: { id: session.id },
        createdAt: new Date(),
      },
    ]);
  }

  async function openRepository(projectId: string): Promise<ProjectRepository> {
    const { folder, branch } = await readProject(database, projectId);
    return dependencies.openRepository(folder, branch);
  }
}
