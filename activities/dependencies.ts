import type { Prompts } from '../agents/load-prompts.ts';
import type { RunningSettings } from '../agents/settings/running-settings.ts';
import type { AgentSettings } from '../config/settings/agent-settings.ts';
import type { Database } from '../db/connection/database.ts';
import type { MemoryStore } from '../db/memory/memory-store.ts';
import type { ProjectModels } from '../domain/model/model-of-role.ts';
import type { ModelCallSettings } from '../domain/model/model-provider.ts';
import type { TextRole } from '../domain/model/model-role.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';
import type { ProjectRepository } from '../git/repository/project-repository.ts';
import type { McpClients } from '../mcp/mcp-clients.ts';
import type { Models } from '../models/create-models.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import type { AnswerFeed } from './model/answer-feed.ts';
import type { ProjectMessages } from './project/project-messages.ts';
import type { StartProjectRequest } from './project/start-project.ts';

/** What activities depend on; built once by the worker. */
export interface Dependencies {
  database: Database;
  memory: MemoryStore;
  models: Models;
  /** The models of a role in a project, tried in order. */
  modelOf(role: TextRole, project: ProjectModels): string;
  /** How the models of a role are asked. */
  callSettingsOf(role: TextRole): ModelCallSettings;
  /** What this worker was started with, for people who look. */
  settings: RunningSettings;
  /** The tools of MCP servers. */
  mcp: McpClients;
  /** The names of the sandboxes in which MCP servers run. */
  mcpSandboxes: ReadonlySet<string>;
  prompts: Prompts;
  /** Tells what activities do. */
  telemetry: Telemetry;
  /** Limits of runs for projects that set none, and limits of chats and of made tools. */
  agents: Omit<AgentSettings, 'promptsFolder'>;
  /** Streams models' output to watchers. */
  answers: AnswerFeed;
  sandboxes: Sandboxes;
  /** The sandbox image of projects that set none. */
  defaultImage: string;
  /** Where projects live that were started without a folder. */
  projectsFolder: string;
  /** Folders below which a project may be without a request of `longhaul start`. */
  projectRoots: string[];
  /**
   * Returns a folder's real path.
   * @throws {GitError} FolderPrivate
   */
  refusePrivateFolder(folder: string): Promise<string>;
  /** The skills that a person gives to all agents; it need not exist. */
  skillsFolder: string;
  /** Where a chat keeps what it made for its person, such as pictures; it need not exist. */
  chatFolder(chatId: string): string;
  /** Whether what goes through Temporal is encrypted; then ids say nothing of what they are for. */
  encrypts: boolean;
  /** Starts a project under the given id, as `longhaul start` does, or continues an existing one. Returns why it could not start. */
  startProject(request: StartProjectRequest): Promise<string | undefined>;
  /** Pauses, resumes, ends and turns back projects, and has features verified. */
  projectMessages: ProjectMessages;
  /** Whether a workflow with this id is running. */
  isRunning(workflowId: string): Promise<boolean>;
  openRepository(folder: string, branch: string): Promise<ProjectRepository>;
  createRepository(folder: string, options: { adopt: boolean }): Promise<ProjectRepository>;
}
