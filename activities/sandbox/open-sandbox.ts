import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { findSession, updateSession } from '../../db/project/sessions.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { createVerifyBase, type Unproven } from '../verification/verify-base.ts';
import { logRefusals } from './log-refusals.ts';
import { openPrepared, runSmokeCheck } from './prepare-sandbox.ts';

export interface OpenSandboxInput {
  projectId: string;
  sandbox: string;
  purpose: 'session' | 'initializer';
  commit: string;
  /** Run the set-up script and the smoke check. */
  prepare: boolean;
  /** See `BaseRequest`; for a session. */
  requestedByName?: boolean | undefined;
}

export interface OpenedSandbox {
  /** Set if the verification of the session's feature did not fail before the work as it should. */
  unproven?: Unproven | undefined;
}

/** The activities `openSandbox`, `stopSandbox` and `closeSandbox`. */
export function createSandboxActivities(dependencies: Dependencies) {
  const { database, sandboxes } = dependencies;
  const verifyBase = createVerifyBase(dependencies);
  return {
    async openSandbox(input: OpenSandboxInput): Promise<OpenedSandbox> {
      const project = await readProject(database, input.projectId);
      const owner = { project: project.id, owner: input.sandbox, purpose: input.purpose };
      return withHeartbeat(async (signals) => {
        const { commit, prepare } = input;
        const repository = await dependencies.openRepository(project.folder, project.branch);
        const request = { project, repository, owner, sandbox: input.sandbox, commit, prepare };
        const { sandbox, setUp } = await openPrepared(dependencies, request, signals);
        const basis: StepResult[] = setUp ? [setUp] : [];
        if (input.prepare && project.smokeCheck) basis.push(await runSmokeCheck(sandbox, project.smokeCheck, signals));
        const session = await findSession(database, input.sandbox);
        if (session && !session.basis) await updateSession(database, session.id, { basis });
        await inProject(database, project.id, (transaction) =>
          transaction.log({ type: 'sandbox.opened', sandbox: input.sandbox, origin: sandbox.origin }),
        );
        await logRefusals(dependencies, { kind: 'project', id: project.id }, input.sandbox);
        if (!session) return {};
        const { requestedByName = false } = input;
        return { unproven: await verifyBase({ sessionId: session.id, sandbox, requestedByName }, signals) };
      });
    },

    async stopSandbox({ sandbox }: { sandbox: string }): Promise<void> {
      await withHeartbeat(async () => {
        await closeVerifications(sandbox);
        await sandboxes.stop(sandbox);
      });
    },

    async closeSandbox({ projectId, sandbox }: { projectId: string; sandbox: string }): Promise<void> {
      await closeVerifications(sandbox);
      await logRefusals(dependencies, { kind: 'project', id: projectId }, sandbox);
      await sandboxes.close(sandbox);
    },
  };

  /** A verification closes its own sandboxes, unless it was stopped while its worker was dead. */
  async function closeVerifications(session: string): Promise<void> {
    for (const { name } of await sandboxes.list()) {
      if (name.startsWith(`${session}-`)) await sandboxes.close(name);
    }
  }
}
