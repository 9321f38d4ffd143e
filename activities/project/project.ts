import { join } from 'node:path';
import { z } from 'zod';
import { setBudget } from '../../db/budget/set-budget.ts';
import { type ClaimRequest, claimFeature, unblockFeatures } from '../../db/features/claim-feature.ts';
import { findProposal } from '../../db/features/plan.ts';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import {
  createProject,
  endUnopenedProject,
  findProject,
  refuseToReopen,
  setProjectStatus,
} from '../../db/project/projects.ts';
import { readSessions } from '../../db/project/sessions.ts';
import { answerRequest } from '../../db/requests/answer-request.ts';
import { readDeadline } from '../../db/requests/requests.ts';
import { addSteeringMessage } from '../../db/steering/add-steering-message.ts';
import { type RunRow, readRuns } from '../../db/transcript/transcript.ts';
import { textRoles } from '../../domain/model/model-role.ts';
import { isNetworkPolicy, type NetworkPolicy, networkPolicyExpected } from '../../domain/network/network-policy.ts';
import { parseRules } from '../../domain/permissions/parse-rules.ts';
import type { Answerer, AnswerSignal, RequestDeadline } from '../../domain/permissions/request.ts';
import { effects, type RuleTexts } from '../../domain/permissions/rule.ts';
import { budgetsSchema } from '../../domain/project/budgets-schema.ts';
import { type BudgetRequest, maxGoalLength, type ProjectInput, type Revert } from '../../domain/project/messages.ts';
import { defaultProjectSettings, type ProjectSettings } from '../../domain/project/settings.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';
import { beating } from '../heartbeat.ts';
import { allowFolder } from './allow-folder.ts';
import { createApplyProposal } from './apply-proposal.ts';
import { commitPresent } from './plan-files.ts';
import { createRevertActivities, findUnfinishedRevert } from './revert.ts';

/** What a project workflow needs to know of its project when it begins. */
export interface OpenedProject {
  status: ProjectStatus;
  /** Why it has that status. */
  reason: string | null;
  settings: ProjectSettings;
  /** The number of the latest session. */
  sessions: number;
  /** Sessions that have not ended: a reset of the project left them running, or they were terminated with the project. */
  left: string[];
  /** A revert whose branch did not follow before the previous workflow ended. */
  unfinished?: Revert;
  /** It has features. */
  planned: boolean;
  /** The number of the next try at planning, from 1. */
  planning: number;
  /** A proposal is stored: a person gave the features, or an initializer proposed them. */
  proposed: boolean;
  /** The request in its inbox whose deadline comes next. */
  deadline?: RequestDeadline;
  /** The head commit; null if the repository has none. */
  head: string | null;
}

const settingsSchema = z.strictObject({
  maxAttempts: z.number().int().min(1).max(20).exactOptional(),
  maxSessions: z.number().int().min(1).exactOptional(),
  maxTurns: z.number().int().min(1).max(1000).exactOptional(),
  model: z.string().min(1).exactOptional(),
  models: z.partialRecord(z.enum(textRoles), z.string().min(1)).exactOptional(),
  budgets: budgetsSchema.exactOptional(),
  stuck: z
    .strictObject({ sameCalls: z.int().min(2).exactOptional(), idleTurns: z.int().min(1).exactOptional() })
    .exactOptional(),
  image: z.string().min(1).exactOptional(),
  network: z.custom<NetworkPolicy>(isNetworkPolicy, { error: networkPolicyExpected }).exactOptional(),
  permissions: z.partialRecord(z.enum(effects), z.array(z.string())).refine(areRules).exactOptional(),
});

/** Throws what is wrong with them, which names each rule. */
function areRules(texts: RuleTexts): true {
  parseRules(texts, 'project');
  return true;
}

/** The activities of a project as a whole. */
export function createProjectActivities(dependencies: Dependencies) {
  const { database, agents } = dependencies;
  return {
    createProject: beating(create),
    applyProposal: beating(createApplyProposal(dependencies)),
    ...createRevertActivities(dependencies),
    answerRequest: (answer: AnswerSignal & { projectId: string; by: Answerer }) => answerRequest(database, answer),
    readDeadline: ({ projectId }: { projectId: string }) => readDeadline(database, projectId),
    claimFeature: (request: ClaimRequest) => claimFeature(database, request),
    unblockFeatures: ({ projectId, running }: { projectId: string; running: string[] }) =>
      unblockFeatures(database, projectId, running),
    setBudget: (request: { projectId: string } & BudgetRequest) => setBudget(database, request),
    /** `steer`, by an update of the workflow. */
    keepMessage: ({ message: text, ...rest }: { projectId: string; id: string; message: string; run?: string }) =>
      addSteeringMessage(database, { text, ...rest }),
    setProjectStatus: ({ projectId, status, reason }: { projectId: string; status: ProjectStatus; reason?: string }) =>
      setProjectStatus(database, projectId, status, reason),
    endUnopenedProject: (request: { projectId: string; status: 'ABANDONED' | 'FAILED'; reason: string }) =>
      endUnopenedProject(database, request.projectId, request.status, request.reason),
  };

  /** Creates the project, its directory and repository, or opens the one that is there. */
  async function create(input: { projectId: string } & Omit<ProjectInput, 'carried'>): Promise<OpenedProject> {
    const existing = await findProject(database, input.projectId);
    if (existing) await refuseToReopen(database, existing);
    const project = existing ?? (await createNew(input));
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const [plan] = await readCheckpoints(database, project.id, { all: true });
    const proposed = (await findProposal(database, project.id)) !== undefined;
    const unfinished = await findUnfinishedRevert(database, repository, project);
    const sessions = await readSessions(database, project.id);
    const deadline = await readDeadline(database, project.id);
    return {
      status: project.status,
      reason: project.statusReason,
      settings: project.settings,
      sessions: sessions.at(-1)?.number ?? 0,
      left: sessions.filter(({ status }) => status === 'RUNNING').map(({ id }) => id),
      ...(unfinished && { unfinished }),
      planned: plan !== undefined,
      planning: 1 + (await readRuns(database, project.id)).filter(endedPlanning).length,
      proposed,
      ...(deadline && { deadline }),
      // Commits a person's changes, so that the initializer reads them too and the plan replaces none of their files.
      head: (plan || proposed ? await repository.head() : await commitPresent(repository)) ?? null,
    };
  }

  async function createNew(input: { projectId: string } & Omit<ProjectInput, 'carried'>): Promise<ProjectRow> {
    const { projectId } = input;
    checkProjectId(projectId);
    const goal = checkGoal(input.goal, projectId);
    const settings = settingsSchema.safeParse(input.settings ?? {});
    if (!settings.success) {
      const complaints = settings.error.issues.map(
        (issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`,
      );
      throw terminalFailure('InvalidInput', `Invalid settings. ${complaints.join('; ')}`);
    }
    const name = preview(input.name?.trim() || nameFrom(goal), 60);
    const folder = input.folder ?? join(dependencies.projectsFolder, projectId.replace(/[^\w.-]+/g, '-'));
    await allowFolder(dependencies, { projectId, folder });
    const repository = await dependencies.createRepository(folder, { adopt: input.adopt ?? false });
    return createProject(database, {
      id: projectId,
      name,
      goal,
      folder: repository.folder,
      branch: repository.branch,
      settings: {
        ...defaultProjectSettings,
        ...settings.data,
        budgets: { ...agents.budgets, ...settings.data.budgets },
      },
    });
  }
}

function endedPlanning(run: RunRow): boolean {
  return run.role === 'initializer' && run.status !== 'RUNNING';
}

/** Refs, containers and commands carry the id. */
function checkProjectId(projectId: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(projectId)) return;
  throw terminalFailure(
    'InvalidInput',
    `Expected a workflow id of up to 100 letters, digits, "-" and "_" for a project, got "${preview(projectId, 120)}".`,
  );
}

function checkGoal(goal: unknown, projectId: string): string {
  if (typeof goal === 'string' && goal.trim() && goal.length <= maxGoalLength) return goal.trim();
  const came = typeof goal === 'string' ? `${goal.length} characters` : JSON.stringify(goal);
  throw terminalFailure(
    'InvalidInput',
    `Expected { "goal": "..." } with 1 to ${maxGoalLength} characters to start the project "${projectId}", got ${came}.`,
  );
}

function nameFrom(goal: string): string {
  const [line = ''] = goal.replace(/^#+\s*/, '').split('\n');
  return line.split(/\s+/).slice(0, 8).join(' ');
}
