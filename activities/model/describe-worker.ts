import type { ModelCheck } from '../../agents/settings/create-model-check.ts';
import type { WorkerDescription, WorkerQuestion } from '../../agents/settings/running-settings.ts';
import { readProject } from '../../db/project/projects.ts';
import type { Dependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';

/** The activities `describeWorker` and `checkModels`, which tell a person what this worker runs with. */
export function createDescribeActivities({ database, settings }: Pick<Dependencies, 'database' | 'settings'>) {
  return { describeWorker: beating(describeWorker), checkModels: beating(checkModels) };

  async function describeWorker({ ask, projectId }: WorkerQuestion): Promise<WorkerDescription> {
    const project = projectId === undefined ? {} : (await readProject(database, projectId)).settings;
    return { settings: settings.describe(), roles: await settings.checkModels({ ask, project }) };
  }

  function checkModels({ names }: { names: string }): Promise<ModelCheck[]> {
    return settings.checkNamed(names);
  }
}
