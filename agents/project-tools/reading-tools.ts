import { readFeatures } from '../../db/features/features.ts';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import { readProgress } from '../../db/project/progress.ts';
import { listProjects, resolveProject } from '../../db/project/projects.ts';
import { readInbox } from '../../db/requests/requests.ts';
import { chooseNextFeature } from '../../domain/project/feature-rules.ts';
import { preview } from '../../domain/storable-text.ts';
import { fence } from '../fence.ts';
import { describeFeature, describeWholeFeature } from './describe-feature.ts';
import type { ProjectToolDependencies, ProjectTools } from './project-tools.ts';

type ReadingToolName =
  | 'list_long_running_projects'
  | 'get_project_status'
  | 'list_project_features'
  | 'get_project_progress_log'
  | 'get_next_feature_to_work_on';

const defaultProjects = 20;
const defaultEntries = 20;
const notesShown = 5;
const checkpointsShown = 10;

/** Tools that look at projects. */
export function createReadingTools({ use }: Pick<ProjectToolDependencies, 'use'>): Pick<ProjectTools, ReadingToolName> {
  return {
    async list_long_running_projects({ status, limit = defaultProjects }) {
      const all = (await use(listProjects)).filter((project) => status === undefined || project.status === status);
      const shown = all
        .slice(0, limit)
        .map((project) => `${project.id} (${project.status}): ${preview(project.goal, 120)}`);
      const more = all.length > shown.length ? [`[${all.length - shown.length} more]`] : [];
      return {
        text: fence('projects', [...shown, ...more].join('\n'), 'There are no such projects.'),
        display: `${all.length} projects`,
      };
    },

    get_project_status: ({ project: reference }) =>
      use(async (database) => {
        const project = await resolveProject(database, reference);
        const { id, status, statusReason, goal, folder } = project;
        const [features, notes, checkpoints, waiting] = await Promise.all([
          readFeatures(database, id),
          readProgress(database, id, notesShown),
          readCheckpoints(database, id),
          readInbox(database, id),
        ]);
        const passing = features.filter((one) => one.status === 'PASSING').length;
        const busy = features.filter((one) => one.status === 'IN_PROGRESS').map(({ name }) => name);
        const open = features.filter((one) => one.status === 'FAILING' || one.status === 'BLOCKED');
        const text = [
          `${id}: ${status}${statusReason ? ` (${statusReason})` : ''}`,
          `Goal: ${preview(goal, 1000)}`,
          `Folder: ${folder}`,
          features.length ? `${passing} of ${features.length} features pass.` : 'The project has no features yet.',
          ...(busy.length ? [`Worked on: ${busy.join(', ')}`] : []),
          ...open.map(describeFeature),
          ...(waiting.length ? ['Waits for a person:'] : []),
          ...waiting.map((one) => `- ${one.id}: ${preview(one.asked, 400)}`),
          ...(checkpoints.length ? ['Checkpoints:'] : []),
          ...checkpoints
            .slice(-checkpointsShown)
            .map((one) => `- ${one.id.slice(id.length + 1)}: ${preview(one.title, 80)} at ${one.commit.slice(0, 8)}`),
          ...(notes.length ? ['Latest notes:'] : []),
          ...notes.map(describeEntry),
        ];
        return {
          text: fence(`the project ${id}`, text.join('\n')),
          display: `${status}, ${passing} of ${features.length} features pass`,
        };
      }),

    list_project_features: ({ project: reference }) =>
      use(async (database) => {
        const { id } = await resolveProject(database, reference);
        const features = await readFeatures(database, id);
        const text = features.map((one) => describeWholeFeature(one, features)).join('\n');
        return {
          text: fence(`the features of ${id}`, text, 'The project has no features yet.'),
          display: `${features.length} features`,
        };
      }),

    get_project_progress_log: ({ project: reference, limit = defaultEntries }) =>
      use(async (database) => {
        const { id } = await resolveProject(database, reference);
        const entries = await readProgress(database, id, limit);
        const text = entries.map(describeEntry).join('\n');
        return {
          text: fence(`the progress log of ${id}`, text, 'There is no progress yet.'),
          display: `${entries.length} entries`,
        };
      }),

    get_next_feature_to_work_on: ({ project: reference }) =>
      use(async (database) => {
        const { id } = await resolveProject(database, reference);
        const features = await readFeatures(database, id);
        if (!features.length) return { text: 'The project has no features yet.' };
        const next = chooseNextFeature(features);
        switch (next.kind) {
          case 'feature':
            return {
              text: fence(`the features of ${id}`, describeWholeFeature(next.feature, features)),
              display: next.feature.name,
            };
          case 'all-passing':
            return { text: 'Every feature passes.' };
          case 'busy':
            return { text: 'Each feature that could be worked on is IN_PROGRESS.' };
          case 'blocked': {
            const blocked = next.features.map(describeFeature).join('\n');
            return { text: `No feature can be worked on now. Left are:\n${fence(`the features of ${id}`, blocked)}` };
          }
        }
      }),
  };
}

function describeEntry({ action, outcome, createdAt }: { action: string; outcome: string; createdAt: Date }): string {
  return `- ${createdAt.toISOString()} ${action}: ${preview(outcome, 300)}`;
}
