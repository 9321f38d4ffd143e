import { findProposal, recordPlan } from '../../db/features/plan.ts';
import { readCheckpoints } from '../../db/project/checkpoints.ts';
import { readProject } from '../../db/project/projects.ts';
import type { Proposal } from '../../domain/project/proposal.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';
import { findConflicts, type Ground, openGround, planFiles, planRef, replacesSetUp } from './plan-files.ts';
import { putOnBranch } from './put-on-branch.ts';

export interface ApplyProposalInput {
  projectId: string;
  workflowId: string;
  workflowRunId: string;
}

/**
 * The activity `applyProposal`: puts a proposal's files into the first commit, then its features into the database. The branch goes first, since only
 * it can be refused; a refusal then leaves no features, so that the project can be planned again.
 */
export function createApplyProposal(dependencies: Pick<Dependencies, 'database' | 'openRepository'>) {
  const { database } = dependencies;
  return async (input: ApplyProposalInput): Promise<void> => {
    const project = await readProject(database, input.projectId);
    // Applied already. After a reset to before the plan the branch has long moved on, so the checkpoints of all lineages count.
    if ((await readCheckpoints(database, project.id, { all: true })).length) return;
    const proposal = await findProposal(database, project.id);
    if (!proposal) throw new Error(`Expected a proposal for ${project.id}; the initializer ended without one.`);
    const ground = await openGround(dependencies, project);
    const commit = await putOnBranch(ground.repository, planRef(project.id), (head) =>
      commitPlan(ground, head, { projectId: project.id, proposal }),
    );
    const parent = await ground.repository.resolve(`${commit}^`);
    const remark = parent && (await replacesSetUp(ground, parent, proposal)) ? describeReplaced(parent) : undefined;
    const { summary, smoke_check: smokeCheck } = proposal;
    const features = proposal.features.map((feature) => {
      const { steps, sealed } = feature.verification;
      return { ...feature, verification: { steps, sealed, protectedPaths: protectedPathsOf(feature) } };
    });
    await recordPlan(database, { ...input, summary, smokeCheck, features, commit, remark });
  };
}

async function commitPlan(
  ground: Ground,
  parent: string | undefined,
  { projectId, proposal }: { projectId: string; proposal: Proposal },
): Promise<string> {
  const { repository } = ground;
  const conflicts = parent ? await findConflicts(ground, parent, proposal) : [];
  if (conflicts.length) throw terminalFailure('RepositoryUnusable', describeConflicts(repository.folder, conflicts));
  const tree = await repository.writeTree(planFiles(proposal), parent && (await repository.treeOf(parent)));
  return repository.commit({
    tree,
    parents: parent ? [parent] : [],
    message: `Plan: ${preview(proposal.summary, 64)}\n\n${proposal.summary}`,
    trailers: { 'Longhaul-Project': projectId, 'Longhaul-Checkpoint': `${projectId}/c0` },
  });
}

function describeConflicts(folder: string, conflicts: string[]): string {
  return `Could not commit the plan in ${folder}; nothing was changed. Move the conflicting files away, commit that, then \`longhaul resume\`; or start again without these files. ${conflicts.join('; ')}.`;
}

function describeReplaced(parent: string): string {
  return `The set-up script replaced the repository's own init.sh. \`git show ${parent.slice(0, 12)}:init.sh\` shows the old one.`;
}

function protectedPathsOf(feature: Proposal['features'][number]): string[] {
  return [...feature.verification.files.map((file) => file.path), ...feature.verification.protected];
}
