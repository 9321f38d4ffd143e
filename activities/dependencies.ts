import type { Database } from '../db/database.ts';
import type { MemoryStore } from '../db/memory/memory-store.ts';
import type { ProjectRepository } from '../git/project-repository.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import type { ModelClient } from './model/model-client.ts';

/** What activities work with; built once by the worker. */
export interface Dependencies {
  database: Database;
  memory: MemoryStore;
  model: ModelClient;
  /** The model's name where a project sets none. */
  defaultModel: string;
  sandboxes: Sandboxes;
  /** The sandbox image where a project sets none. */
  defaultImage: string;
  /** Where a project lives that was started without a folder. */
  projectsFolder: string;
  openRepository(folder: string, branch: string): Promise<ProjectRepository>;
  createRepository(folder: string, options: { adopt: boolean }): Promise<ProjectRepository>;
}
