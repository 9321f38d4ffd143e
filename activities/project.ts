import { join } from 'node:path';
import { z } from 'zod';
import type { Proposal } from '../agents/proposal.ts';
import { readCheckpoints, resolveCheckpoint } from '../db/checkpoints.ts';
import { type ClaimRequest, claimFeature, unblockFeatures } from '../db/claim-feature.ts';
import { addInterjection } from '../db/interjections/add-interjection.ts';
import { recordPlan } from '../db/plan.ts';
import type { ProjectRow } from '../db/project-transaction.ts';
import { createProject, findProject, resolveProject, setProjectStatus } from '../db/projects.ts';
import { findProposal } from '../db/proposals.ts';
import { revertProject } from '../db/revert.ts';
import { readSessions } from '../db/sessions.ts';
import { setBudget } from '../db/set-budget.ts';
import { budgetScopes, defaultProjectSettings, type ProjectSettings } from '../db/shapes.ts';
import type { ProjectStatus } from '../db/statuses.ts';
import { preview } from '../db/storable-text.ts';
import { type RunRow, readRuns } from '../db/transcript/transcript.ts';
import { textRoles } from '../models/model-role.ts';
import type { BudgetRequest, ProjectInput, RevertRequest, RevertResult } from '../workflows/messages.ts';
import type { Dependencies } from './dependencies.ts';
import { finalFailure } from './failures.ts';
import { beating } from './heartbeat.ts';

/** What a project workflow needs to know of its project when it begins. */
export interface OpenedProject {
  status: ProjectStatus;
  settings: ProjectSettings;
  /** The number of the latest session. */
  sessions: number;
  /** Its features are there. */
  planned: boolean;
  /** Which try at planning the next one is, from 1. */
  planning: number;
  /** A person brought its features. */
  proposed: boolean;
  /** The commit that an existing repository brought. */
  head: string | null;
}

const limitSchema = z.number().positive().exactOptional();
const budgetSchema = z.strictObject({
  usd: limitSchema,
  tokens: limitSchema,
  turns: limitSchema,
  minutes: limitSchema,
});

const settingsSchema = z.strictObject({
  maxAttempts: z.number().int().min(1).max(20).exactOptional(),
  maxSessions: z.number().int().min(1).exactOptional(),
  maxTurns: z.number().int().min(1).max(1000).exactOptional(),
  model: z.string().min(1).exactOptional(),
  models: z.partialRecord(z.enum(textRoles), z.string().min(1)).exactOptional(),
  budgets: z.partialRecord(z.enum(budgetScopes), budgetSchema).exactOptional(),
  stuck: z
    .strictObject({ sameCalls: z.int().min(2).exactOptional(), idleTurns: z.int().min(1).exactOptional() })
    .exactOptional(),
  image: z.string().min(1).exactOptional(),
  network: z.boolean().exactOptional(),
});

/** A goal is read by a model at each session; a longer one belongs into a file of the repository. */
const longestGoal = 100_000;

/** The activities of a project as a whole. */
export function createProjectActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  return {
    createProject: beating(create),
    applyProposal: beating(applyProposal),
    checkRevert: beating(checkRevert),
    revertToCheckpoint: beating(revertToCheckpoint),
    claimFeature: (request: ClaimRequest) => claimFeature(database, request),
    unblockFeatures: ({ projectId }: { projectId: string }) => unblockFeatures(database, projectId),
    setBudget: (request: { projectId: string } & BudgetRequest) => setBudget(database, request),
    keepMessage: ({ message: text, ...rest }: { projectId: string; id: string; message: string; run?: string }) =>
      addInterjection(database, { text, ...rest }),
    setProjectStatus: ({ projectId, status, reason }: { projectId: string; status: ProjectStatus; reason?: string }) =>
      setProjectStatus(database, projectId, status, reason),
  };

  /** Creates the project, its directory and repository, or opens the one that is there. */
  async function create(input: { projectId: string } & Omit<ProjectInput, 'carried'>): Promise<OpenedProject> {
    const project = (await findProject(database, input.projectId)) ?? (await createNew(input));
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const [plan] = await readCheckpoints(database, project.id, { all: true });
    const latest = (await readSessions(database, project.id)).at(-1);
    return {
      status: project.status,
      settings: project.settings,
      sessions: latest?.number ?? 0,
      planned: plan !== undefined,
      planning: 1 + (await readRuns(database, project.id)).filter(endedPlanning).length,
      proposed: (await findProposal(database, project.id)) !== undefined,
      head: (await repository.head()) ?? null,
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
      throw finalFailure('InvalidInput', `The settings cannot be used. ${complaints.join('; ')}`);
    }
    const name = preview(input.name?.trim() || nameFrom(goal), 60);
    const folder = input.folder ?? join(dependencies.projectsFolder, projectId.replace(/[^\w.-]+/g, '-'));
    const repository = await dependencies.createRepository(folder, { adopt: input.adopt ?? false });
    return createProject(database, {
      id: projectId,
      name,
      goal,
      folder: repository.folder,
      branch: repository.branch,
      settings: { ...defaultProjectSettings, ...settings.data },
    });
  }

  /** Puts a proposal's files into the first commit and its features into the database, together. */
  async function applyProposal(input: { projectId: string; workflowId: string; workflowRunId: string }): Promise<void> {
    const project = await resolveProject(database, input.projectId);
    const proposal = await findProposal(database, project.id);
    if (!proposal) throw new Error(`Expected a proposal for ${project.id}; the initializer ended without one.`);
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const ref = `refs/longhaul/plans/${project.id}`;
    let commit = await repository.resolve(ref);
    if (!commit) {
      const parent = (await repository.head()) ? (await repository.commitPersonChanges()).head : undefined;
      const tree = await repository.writeTree(filesOf(proposal), parent && (await repository.treeOf(parent)));
      const message = `Plan: ${preview(proposal.summary, 64)}\n\n${proposal.summary}`;
      const trailers = { 'Longhaul-Project': project.id, 'Longhaul-Checkpoint': `${project.id}/c0` };
      commit = await repository.commit({ tree, parents: parent ? [parent] : [], message, trailers });
      await repository.keep(ref, commit);
    }
    const { summary, smoke_check: smokeCheck } = proposal;
    const features = proposal.features.map((feature) => ({
      ...feature,
      verification: { steps: feature.verification.steps, protectedPaths: protectedPathsOf(feature) },
    }));
    await recordPlan(database, { ...input, summary, smokeCheck, features, commit });
    await repository.moveBranch(await repository.resolve(`${commit}^`), commit);
  }

  /** Refuses a revert that cannot be done, before anything is stopped for it. */
  async function checkRevert({ projectId, request }: { projectId: string; request: RevertRequest }): Promise<void> {
    const project = await resolveProject(database, projectId);
    await resolveCheckpoint(database, projectId, request.checkpoint);
    const repository = await dependencies.openRepository(project.folder, project.branch);
    if (request.overUncommittedChanges || !(await repository.hasUncommittedChanges())) return;
    throw finalFailure(
      'UncommittedChanges',
      `${project.folder} has changes that are not committed. Commit them, or revert with --yes: then they are committed to the kept ref first.`,
    );
  }

  /** Moves branch, features, decisions and memories to a checkpoint; what is left stays under the kept ref. */
  async function revertToCheckpoint(input: {
    projectId: string;
    revertId: string;
    request: RevertRequest;
  }): Promise<RevertResult> {
    const { projectId, revertId, request } = input;
    const project = await resolveProject(database, projectId);
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const keptRef = `refs/longhaul/reverted/${projectId}/${revertId}`;
    const target = await resolveCheckpoint(database, projectId, request.checkpoint);
    let left = await repository.resolve(keptRef);
    if (!left) await checkRevert(input);
    // What a person commits or edits between two attempts is left behind, and kept, as well.
    if (!left || (await repository.head()) !== target.commit) {
      const { head } = await repository.commitPersonChanges();
      if (head !== left) await repository.keep(keptRef, head, left ? { replacing: left } : {});
      left = head;
    }
    const { checkpointId, commit } = await revertProject(database, {
      lineageId: `${projectId}/${revertId}`,
      projectId,
      checkpoint: request.checkpoint,
      keptRef,
      reason: request.reason,
    });
    await repository.moveBranch(left, commit);
    return { checkpoint: checkpointId, commit, keptRef };
  }
}

function endedPlanning(run: RunRow): boolean {
  return run.role === 'initializer' && run.status !== 'RUNNING';
}

/** Refs, containers and commands carry the id. */
function checkProjectId(projectId: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(projectId)) return;
  throw finalFailure(
    'InvalidInput',
    `Expected a workflow id of up to 100 letters, digits, "-" and "_" for a project, got "${preview(projectId, 120)}".`,
  );
}

function checkGoal(goal: unknown, projectId: string): string {
  if (typeof goal === 'string' && goal.trim() && goal.length <= longestGoal) return goal.trim();
  const came = typeof goal === 'string' ? `${goal.length} characters` : JSON.stringify(goal);
  throw finalFailure(
    'InvalidInput',
    `Expected { "goal": "..." } with 1 to ${longestGoal} characters to start the project "${projectId}", got ${came}.`,
  );
}

function nameFrom(goal: string): string {
  const [line = ''] = goal.replace(/^#+\s*/, '').split('\n');
  return line.split(/\s+/).slice(0, 8).join(' ');
}

function filesOf(proposal: Proposal) {
  return [
    { path: 'init.sh', content: `${proposal.setup_script}\n`, executable: true },
    ...[...proposal.files, ...proposal.features.flatMap((feature) => feature.verification.files)].map((file) => ({
      path: file.path,
      content: file.content,
      executable: file.executable ?? file.content.startsWith('#!'),
    })),
  ];
}

function protectedPathsOf(feature: Proposal['features'][number]): string[] {
  return [...feature.verification.files.map((file) => file.path), ...feature.verification.protected];
}
