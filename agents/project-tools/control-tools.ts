import { resolveProject } from '../../db/project/projects.ts';
import type { ProjectToolDependencies, ProjectTools } from './project-tools.ts';
import { refuseSecrets } from './refuse-secrets.ts';

type ControlToolName =
  | 'create_long_running_project'
  | 'pause_project'
  | 'resume_project'
  | 'abandon_project'
  | 'revert_project';

/** Tools that start, stop and turn back projects. */
export function createControlTools({ use, control }: ProjectToolDependencies): Pick<ProjectTools, ControlToolName> {
  const find = (reference: string) => use((database) => resolveProject(database, reference));
  const statusOf = async (id: string) => {
    const { status, statusReason } = await find(id);
    return `${id} is ${status}${statusReason ? ` (${statusReason})` : ''} now.`;
  };
  return {
    async create_long_running_project(request, call) {
      const id = await control.start(request, call);
      return { text: `Started as ${id}. The person can follow it with \`longhaul log -f ${id}\`.`, display: id };
    },

    async pause_project({ project, ...request }) {
      refuseSecrets([request.reason ?? '']);
      const { id } = await find(project);
      await control.pause(id, request);
      return { text: await statusOf(id) };
    },

    async resume_project({ project }) {
      const { id } = await find(project);
      await control.resume(id);
      return { text: await statusOf(id) };
    },

    async abandon_project({ project, reason }) {
      refuseSecrets([reason ?? '']);
      const { id } = await find(project);
      await control.abandon(id, reason);
      return { text: await statusOf(id) };
    },

    async revert_project({ project, ...request }, call) {
      refuseSecrets([request.reason ?? '']);
      const { id } = await find(project);
      const { checkpoint, commit, keptRef } = await control.revert(id, request, call);
      return {
        text: `Reverted to ${checkpoint} at ${commit.slice(0, 12)}, and paused. The state before is at ${keptRef}. resume_project continues from there.`,
      };
    },
  };
}
