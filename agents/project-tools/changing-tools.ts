import { unknownFeature } from '../../db/database-error.ts';
import { addFeature } from '../../db/features/add-feature.ts';
import { readFeatures } from '../../db/features/features.ts';
import { setFeatureStatus } from '../../db/features/set-feature-status.ts';
import { addProgress } from '../../db/project/progress.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { resolveProject } from '../../db/project/projects.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import { followVerification } from './follow-verification.ts';
import { ProjectToolError } from './project-tool-error.ts';
import type { ProjectToolCall, ProjectToolDependencies, ProjectToolResult, ProjectTools } from './project-tools.ts';
import { refuseSecrets } from './refuse-secrets.ts';

type ChangingToolName = 'add_project_feature' | 'update_feature_status' | 'log_project_progress';

const statuses = { failing: 'FAILING', blocked: 'BLOCKED', not_started: 'NOT_STARTED' } as const;

/** Tools that change the features and the progress log of a project. */
export function createChangingTools({ use, control }: ProjectToolDependencies): Pick<ProjectTools, ChangingToolName> {
  return {
    async add_project_feature({ project: reference, verification, ...feature }, { id, by }) {
      const { steps, protected: protectedPaths, sealed } = verification;
      refuseSecrets([feature.description, ...sealed.map(({ requirement }) => requirement)]);
      const added = { ...feature, verification: { steps, protectedPaths, sealed } };
      return use(async (database) => {
        const { id: projectId, status } = await resolveProject(database, reference);
        await inProject(database, projectId, (transaction) => addFeature(transaction, added, { id, by }));
        const next = isTerminal(status)
          ? `The project is ${status}: resume_project continues it, and this feature is worked on.`
          : 'Its turn comes while the project is ACTIVE.';
        return { text: `Added "${feature.name}" to ${projectId}. ${next}`, display: feature.name };
      });
    },

    async update_feature_status({ project: reference, feature, status, reason }, call) {
      if (status === 'passing') return verify(reference, feature, call);
      const said = reason ?? (status === 'not_started' ? `Asked for by ${call.by}.` : undefined);
      if (said === undefined) {
        throw new ProjectToolError(
          'ReasonMissing',
          `Expected a reason with ${status}: whoever works on it next reads it.`,
        );
      }
      refuseSecrets([said]);
      return use(async (database) => {
        const { id } = await resolveProject(database, reference);
        const change = { status: statuses[status], reason: said };
        const before = await inProject(database, id, (transaction) => setFeatureStatus(transaction, feature, change));
        return {
          text: `"${feature}" was ${before} and is ${change.status} now. resume_project continues a project that waits.`,
        };
      });
    },

    async log_project_progress({ project: reference, note }, { id, by }) {
      refuseSecrets([note]);
      return use(async (database) => {
        const { id: projectId } = await resolveProject(database, reference);
        await inProject(database, projectId, (transaction) =>
          addProgress(transaction, { id, action: `note of ${by}`, outcome: note }),
        );
        return { text: 'Logged.' };
      });
    },
  };

  /** Has Longhaul verify the feature, and waits for the verdict. */
  async function verify(reference: string, name: string, call: ProjectToolCall): Promise<ProjectToolResult> {
    const { project, feature } = await use(async (database) => {
      const found = await resolveProject(database, reference);
      const features = await readFeatures(database, found.id);
      const one = features.find((each) => each.name === name);
      if (!one) throw unknownFeature(found.id, name, features);
      return { project: found, feature: one };
    });
    if (feature.status === 'PASSING')
      return { text: `"${name}" is PASSING already, verified at ${feature.commit?.slice(0, 12)}: ${feature.reason}` };
    const from = project.eventCount;
    // A caller that gave up waiting asks again.
    const running = feature.status === 'IN_PROGRESS' ? feature.sessionId : null;
    const sessionId = running ?? (await control.verify(project.id, name, call)).sessionId;
    const { id: projectId, status, statusReason } = project;
    const standing = { type: 'project.changed', status, reason: statusReason ?? undefined } as const;
    const verification = { projectId, feature: name, sessionId, from, ...(running !== null && { standing }) };
    return followVerification(use, verification, call);
  }
}
