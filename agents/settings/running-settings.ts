import type { ProjectModels } from '../../domain/model/model-of-role.ts';
import type { RoleModels } from './check-models.ts';
import type { ModelCheck } from './create-model-check.ts';
import type { DescribedSetting } from './describe-settings.ts';

/** The models of a project, and its limit of turns. */
export type ModelsOfProject = ProjectModels & { maxTurns?: number | undefined };

/** The settings that a process runs with. */
export interface RunningSettings {
  /** Every setting with its value and source; secrets are masked. */
  describe(): DescribedSetting[];
  /** The models of each role; unless `ask` is false, each is asked for one word. */
  checkModels(options: { ask: boolean; project?: ModelsOfProject }): Promise<RoleModels[]>;
  /** Asks each of several models, comma-separated, for one word. */
  checkNamed(names: string): Promise<ModelCheck[]>;
}

/** What a worker says of its settings. */
export interface WorkerDescription {
  settings: DescribedSetting[];
  roles: RoleModels[];
}

/** What `describeWorkerWorkflow` takes: whether models are asked, and for which project's models. */
export interface WorkerQuestion {
  ask: boolean;
  projectId?: string;
}
