import type { Proposal } from '../agents/proposal.ts';
import { readCheckpoints } from '../db/checkpoints.ts';
import { recordPlan } from '../db/plan.ts';
import { readProject } from '../db/projects.ts';
import { findProposal } from '../db/proposals.ts';
import { preview } from '../db/storable-text.ts';
import type { ProjectRepository } from '../git/project-repository.ts';
import type { Dependencies } from './dependencies.ts';

export interface ApplyProposalInput {
  projectId: string;
  workflowId: string;
  workflowRunId: string;
}

/**
 * The activity `applyProposal`: puts a proposal's files into the first commit, then its features into the database. The branch goes first, since only
 * it can be refused; a refusal then leaves no features, so that the project can be planned again.
 */
export function createApplyProposal({ database, openRepository }: Pick<Dependencies, 'database' | 'openRepository'>) {
  return async (input: ApplyProposalInput): Promise<void> => {
    const project = await readProject(database, input.projectId);
    // Applied already. After a reset to before the plan the branch has long moved on, so the checkpoints of all lineages count.
    if ((await readCheckpoints(database, project.id, { all: true })).length) return;
    const proposal = await findProposal(database, project.id);
    if (!proposal) throw new Error(`Expected a proposal for ${project.id}; the initializer ended without one.`);
    const repository = await openRepository(project.folder, project.branch);
    const commit = await putOnBranch(repository, project.id, proposal);
    const { summary, smoke_check: smokeCheck } = proposal;
    const features = proposal.features.map((feature) => ({
      ...feature,
      verification: { steps: feature.verification.steps, protectedPaths: protectedPathsOf(feature) },
    }));
    await recordPlan(database, { ...input, summary, smokeCheck, features, commit });
  };
}

/**
 * Returns the plan's commit: that of an earlier attempt if the branch contains it or can take it, else a new one on top of what a person has
 * committed since.
 */
async function putOnBranch(repository: ProjectRepository, projectId: string, proposal: Proposal): Promise<string> {
  const ref = `refs/longhaul/plans/${projectId}`;
  const kept = await repository.resolve(ref);
  const parent = kept && (await repository.resolve(`${kept}^`));
  const found = await repository.head();
  // Completes a move that was begun before looking at the files, which would otherwise be taken for a person's changes.
  if (kept && found === kept) await repository.moveBranch(parent, kept);
  const head = found && (await repository.commitPersonChanges()).head;
  if (kept && head && (await repository.log(head)).some(({ commit }) => commit === kept)) return kept;
  const commit = kept && parent === head ? kept : await commitPlan(repository, head, { projectId, proposal });
  if (commit !== kept) await repository.keep(ref, commit, kept ? { replacing: kept } : {});
  await repository.moveBranch(head, commit);
  return commit;
}

async function commitPlan(
  repository: ProjectRepository,
  parent: string | undefined,
  { projectId, proposal }: { projectId: string; proposal: Proposal },
): Promise<string> {
  const tree = await repository.writeTree(filesOf(proposal), parent && (await repository.treeOf(parent)));
  return repository.commit({
    tree,
    parents: parent ? [parent] : [],
    message: `Plan: ${preview(proposal.summary, 64)}\n\n${proposal.summary}`,
    trailers: { 'Longhaul-Project': projectId, 'Longhaul-Checkpoint': `${projectId}/c0` },
  });
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
