import { randomBytes } from 'node:crypto';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createSandboxActivities } from '../../../activities/sandbox/open-sandbox.ts';
import { createSessionActivities } from '../../../activities/session/session.ts';
import { createWorkspaceTools } from '../../../activities/tools/kinds/workspace-tools.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { claimFeature } from '../../../db/features/claim-feature.ts';
import { recordPlan } from '../../../db/features/plan.ts';
import { createProject } from '../../../db/project/projects.ts';
import { addVerification, baseVerificationId } from '../../../db/project/verifications.ts';
import type { NetworkPolicy } from '../../../domain/network/network-policy.ts';
import { defaultProjectSettings, type SealedCheck } from '../../../domain/project/settings.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';
import { type FileChanges, makeRepository } from '../../sandbox/make-repository.ts';
import { createTestSandboxes } from '../../sandbox/test-sandboxes.ts';
import { createTestDatabase } from '../servers/test-database.ts';
import { inActivity } from './in-activity.ts';

interface BegunProject {
  /** `none` if absent. */
  network?: NetworkPolicy;
  /** The content of `init.sh`. */
  setUp?: string;
  /** The commands of the feature's verification steps. */
  commands?: string[];
  protectedPaths?: string[];
  sealed?: SealedCheck[];
  /** What its sessions may change all the same. */
  allowed?: string[];
  /** Further files of the repository. */
  files?: Record<string, string>;
  /** Whether the session's sandbox is open; true if absent. */
  isOpen?: boolean;
  /** Whether the feature's verification was seen to fail before; true if absent. */
  isRed?: boolean;
}

/** Creates projects whose first session has begun, through its activities alone: real Postgres, git and sandboxes, but no worker. */
export async function createBegunSessions() {
  const postgres = await createTestDatabase();
  const { database } = postgres;
  const host = createTestSandboxes();
  const removals: Array<() => Promise<void>> = [];
  const dependencies = {
    database,
    agents: {
      review: false,
      steeringFiles: ['lib/equal.py'],
      mutationSeconds: 0,
      minMutationScore: 0,
      permissions: { rules: [], requests: { defaultAnswer: 'no' } },
    },
    sandboxes: host.sandboxes,
    defaultImage: process.env.SANDBOX_IMAGE || (await imageTag(packageRoot())),
    openRepository: (folder: string, branch: string) => openProjectRepository({ folder, branch }),
  } as unknown as Dependencies; // no other dependency is used
  return {
    host,
    dependencies,
    begin,
    async stop(): Promise<void> {
      await host.closeAll();
      await postgres.stop();
      for (const remove of removals) await remove();
    },
  };

  async function begin(project: BegunProject = {}) {
    const {
      network = 'none',
      setUp = 'true\n',
      commands = ['true'],
      protectedPaths = [],
      sealed = [],
      allowed = [],
      files = {},
      isOpen = true,
      isRed = true,
    } = project;
    const projectId = `project-begun-${randomBytes(4).toString('hex')}`;
    const repository = await makeRepository({ 'init.sh': setUp, 'a.txt': 'a\n', ...files });
    removals.push(repository.remove);
    const folder = await repository.git('rev-parse', '--show-toplevel');
    const settings = { ...defaultProjectSettings, network };
    await createProject(database, { id: projectId, name: 'begun', goal: 'g', folder, branch: 'main', settings });
    const steps = commands.map((command) => ({ description: 'It works.', command }));
    const verification = { steps, protectedPaths, sealed, allowed };
    const feature = { name: 'one', description: 'd', category: 'functional' as const, priority: 5, dependencies: [] };
    const plan = { summary: 's', smokeCheck: 'true', features: [{ ...feature, verification }] };
    const names = { projectId, workflowId: projectId, workflowRunId: 'run' };
    await recordPlan(database, { ...names, ...plan, commit: repository.commit });
    const sessions = createSessionActivities(dependencies);
    const first = await beginSession(1);
    const { sessionId, commit } = first;
    if (isRed)
      await addVerification(database, {
        id: baseVerificationId(`${projectId}-s0`),
        projectId,
        sessionId: `${projectId}-s0`,
        feature: { id: `${projectId}/one`, name: 'one', description: 'd', verification },
        commit,
        image: null,
        purpose: 'base',
        passed: true,
        reason: 'It failed.',
        steps: [],
      });
    if (isOpen) await first.open();
    const tools = createWorkspaceTools(dependencies);
    const { signal } = new AbortController();
    const runId = `${sessionId}-work`;
    const run = {
      owner: { kind: 'project' as const, id: projectId },
      sessionId,
      sandbox: sessionId,
      runId,
      role: 'code' as const,
      maxTurns: 9,
    };
    return {
      projectId,
      folder,
      ...first,
      /** Calls `run_command`; calling with the same turn again is a retry of the same call. */
      call: (turn: number, script: string) =>
        tools.run_command({ command: script }, { run, id: `${runId}.${turn}.0`, cancel: signal, detach: signal }),
      /** Commits changes to files, by default on top of the session's base. */
      commitFiles: (changes: FileChanges, base = commit) => repository.commitOn(base, changes),
      /** Commits what the sandbox holds now, in place of an earlier commit. */
      async commitWork() {
        await repository.git('update-ref', '-d', `refs/longhaul/sessions/${sessionId}/1`);
        return inActivity(() => sessions.commitSession({ projectId, sessionId }));
      },
    };

    async function beginSession(number: number) {
      const sessionId = `${projectId}-s${number}`;
      await claimFeature(database, { projectId, sessionId, number });
      const { baseCommit: commit } = await inActivity(() => sessions.beginSession({ projectId, sessionId }));
      return {
        sessionId,
        commit,
        open({ dies, ...options }: { requestedByName?: boolean; dies?: Promise<never> } = {}) {
          const { openSandbox } = createSandboxActivities(dependencies);
          const request = {
            projectId,
            sandbox: sessionId,
            purpose: 'session',
            commit,
            prepare: true,
            ...options,
          } as const;
          return inActivity(() => openSandbox(request), dies && { dies });
        },
        /** Ends the session without a pass. */
        stop: () => sessions.endSession({ projectId, sessionId, status: 'INTERRUPTED', reason: 'It was stopped.' }),
        /** Ends the session without a pass and begins the next one. */
        async beginAnother() {
          await this.stop();
          return beginSession(number + 1);
        },
      };
    }
  }
}
