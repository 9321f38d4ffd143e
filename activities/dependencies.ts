import type { Prompts } from '../agents/load-prompts.ts';
import type { AgentSettings } from '../config/configuration.ts';
import type { Database } from '../db/database.ts';
import type { MemoryStore } from '../db/memory/memory-store.ts';
import type { ProjectRepository } from '../git/project-repository.ts';
import type { Models } from '../models/create-models.ts';
import type { ProjectModels } from '../models/model-of-role.ts';
import type { ModelCallSettings } from '../models/model-provider.ts';
import type { TextRole } from '../models/model-role.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import type { AnswerFeed } from './answer-feed.ts';

/** What activities work with; built once by the worker. */
export interface Dependencies {
  database: Database;
  memory: MemoryStore;
  models: Models;
  /** The models of a role in a project, tried in order. */
  modelOf(role: TextRole, project: ProjectModels): string;
  /** How the models of a role are asked. */
  callSettingsOf(role: TextRole): ModelCallSettings;
  prompts: Prompts;
  /** Limits of runs where a project sets none, and those of chats and of made tools. */
  agents: Pick<AgentSettings, 'maxTurns' | 'stuck' | 'delegation' | 'chat' | 'tools'>;
  /** Tells those who watch what models say while they say it. */
  answers: AnswerFeed;
  sandboxes: Sandboxes;
  /** The sandbox image where a project sets none. */
  defaultImage: string;
  /** Where a project lives that was started without a folder. */
  projectsFolder: string;
  /** Where the folders of chats are; it need not be there. */
  chatsFolder: string;
  /** Where what a chat made for its person is kept, such as pictures; it need not be there. */
  chatFolder(chatId: string): string;
  /** Starts a project under an id, as `longhaul start` does; one that is there already goes on. Returns why it could not be started. */
  startProject(request: { id: string; goal: string; name?: string | undefined }): Promise<string | undefined>;
  openRepository(folder: string, branch: string): Promise<ProjectRepository>;
  createRepository(folder: string, options: { adopt: boolean }): Promise<ProjectRepository>;
}
