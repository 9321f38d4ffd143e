import { createHash } from 'node:crypto';
import { fence } from '../../../agents/fence.ts';
import { DatabaseError } from '../../../db/database-error.ts';
import { readFeatures } from '../../../db/project/features.ts';
import { readProgress } from '../../../db/project/progress.ts';
import { listProjects, resolveProject } from '../../../db/project/projects.ts';
import { slugOf } from '../../../domain/slug.ts';
import { preview } from '../../../domain/storable-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Tools } from '../tool.ts';

type ProjectToolName = 'start_project' | 'list_projects' | 'get_project';

const defaultProjects = 20;
const notesShown = 5;
const featuresShown = 60;

/** Tools for starting and looking at projects from a chat. */
export function createProjectTools({
  database,
  startProject,
  encrypts,
}: Pick<Dependencies, 'database' | 'startProject' | 'encrypts'>): Pick<Tools, ProjectToolName> {
  return {
    async start_project({ goal, name }, { id: callId }) {
      const id = projectIdOf(callId, encrypts ? undefined : slugOf(name ?? goal));
      const refused = await startProject({ id, goal, name });
      if (refused !== undefined) return { failed: true, text: refused };
      return { text: `Started as ${id}. The person can follow it with \`longhaul log -f ${id}\`.`, display: id };
    },

    async list_projects({ status, limit = defaultProjects }) {
      const all = (await listProjects(database)).filter((project) => status === undefined || project.status === status);
      const shown = all
        .slice(0, limit)
        .map((project) => `${project.id} (${project.status}): ${preview(project.goal, 120)}`);
      const more = all.length > shown.length ? [`[${all.length - shown.length} more]`] : [];
      return {
        text: fence('projects', [...shown, ...more].join('\n'), 'There are no such projects.'),
        display: `${all.length} projects`,
      };
    },

    async get_project({ project: reference }) {
      try {
        const project = await resolveProject(database, reference);
        const [features, notes] = await Promise.all([
          readFeatures(database, project.id),
          readProgress(database, project.id, notesShown),
        ]);
        const passing = features.filter(({ status }) => status === 'PASSING').length;
        const { id, status, statusReason, goal, folder } = project;
        const text = [
          `${id}: ${status}${statusReason ? ` (${statusReason})` : ''}`,
          `Goal: ${preview(goal, 1000)}`,
          `Folder: ${folder}`,
          features.length ? `Features, ${passing} of ${features.length} passing:` : 'The project has no features yet.',
          ...features.slice(0, featuresShown).map(({ name, status: standing, attempts, reason }) => {
            const why = standing === 'PASSING' || !reason ? '' : `: ${preview(reason, 200)}`;
            return `- ${name} (${standing}${attempts ? `, ${attempts} failed attempts` : ''})${why}`;
          }),
          ...(notes.length ? ['Latest notes:'] : []),
          ...notes.map(
            ({ action, outcome, createdAt }) => `- ${createdAt.toISOString()} ${action}: ${preview(outcome, 300)}`,
          ),
        ];
        return {
          text: fence(`the project ${id}`, text.join('\n')),
          display: `${status}, ${passing} of ${features.length} features pass`,
        };
      } catch (error) {
        if (error instanceof DatabaseError && error.code === 'UnknownProject')
          return { failed: true, text: error.message };
        throw error;
      }
    },
  };
}

/** The same id at each attempt of a call. */
function projectIdOf(callId: string, slug: string | undefined): string {
  const digits = createHash('sha256').update(callId).digest('hex').slice(0, 8);
  return ['project', ...(slug === undefined ? [] : [slug]), digits].join('-');
}
