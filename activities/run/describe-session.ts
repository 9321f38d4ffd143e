import { fence } from '../../agents/fence.ts';
import { type FeatureState, featureOf, readFeatureChanges, readFeatures } from '../../db/features/features.ts';
import { readProgress } from '../../db/project/progress.ts';
import { readProject } from '../../db/project/projects.ts';
import { readAttempts, readSession } from '../../db/project/sessions.ts';
import { readVerifications } from '../../db/project/verifications.ts';
import { readSteeringMessagesOnFeature } from '../../db/steering/read-steering-messages.ts';
import { findRun } from '../../db/transcript/transcript.ts';
import { describeNetwork } from '../../domain/network/describe-network.ts';
import { networkOfProject } from '../../domain/permissions/network-of-rules.ts';
import { agentForCategory } from '../../domain/project/agent-for-category.ts';
import type { ProjectSettings, StepResult } from '../../domain/project/settings.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeImage, describeLimits, type PromptVariables } from './describe-run.ts';
import { recallForSession } from './recall-for-session.ts';

const progressEntries = 20;
const recentCommits = 10;
/** Characters that a prompt shows of the output of one failed step. */
const outputShown = 3000;

/** What the planner and the specialist of a session read. */
export async function describeSession(
  dependencies: Dependencies,
  run: AgentRun<'project'> & { sessionId: string },
): Promise<PromptVariables> {
  const { database } = dependencies;
  const project = await readProject(database, run.owner.id);
  const session = await readSession(database, run.sessionId);
  const features = await readFeatures(database, run.owner.id);
  const feature = featureOf(features, session);
  const repository = await dependencies.openRepository(project.folder, project.branch);
  const commits = session.baseCommit ? await repository.log(session.baseCommit, { limit: recentCommits }) : [];
  const about = `${feature.name} ${feature.description}`;
  const recalled = await recallForSession(dependencies, { projectId: project.id, runId: run.runId, text: about });
  const said = await readSteeringMessagesOnFeature(database, { featureId: feature.id, runId: run.runId });
  const plan = run.role === 'planner' ? undefined : await findRun(database, `${session.id}-plan`);

  const limits = await describeLimits(dependencies, run, project.settings.budgets);
  const instructions = { ...limits, environment: describeEnvironment(project.settings, dependencies) };
  return {
    instructions:
      run.role === 'planner' ? { ...instructions, specialist: agentForCategory(feature.category) } : instructions,
    task: {
      goal: project.goal,
      feature: feature.name,
      attempt: String(session.attempt),
      description: feature.description,
      verification: formatVerification(feature),
      said: formatSaid(said),
      lessons: await formatLessons(dependencies, feature),
      features: features.map((one) => `- ${one.name} (${one.category}): ${one.status}`).join('\n'),
      progress: fence(
        'the progress log',
        formatProgress(await readProgress(database, project.id, progressEntries)),
        'Nothing yet.',
      ),
      commits: fence(
        'the git log',
        commits.map((commit) => `- ${commit.commit.slice(0, 8)} ${commit.subject}`).join('\n'),
        'None yet.',
      ),
      basis: fence('the output of checks', session.basis?.map(formatStep).join('\n') ?? '', 'Not checked.'),
      ...recalled,
      plan: plan?.result ?? 'You write it now.',
    },
  };
}

export function describeEnvironment(
  settings: ProjectSettings,
  { defaultImage, agents }: Pick<Dependencies, 'defaultImage' | 'agents'>,
): string {
  const { image = defaultImage } = settings;
  const access = networkOfProject(settings, agents.permissions.rules);
  return `Your workspace is /workspace in a Linux container. ${describeImage(image)} You are not
root; only /workspace, your home and /tmp can be written. ${describeNetwork(access)} The set-up script \`init.sh\` has run. Verification runs in
another, fresh container from the committed files, after \`init.sh\`, without network and without processes that the script left running.`;
}

/** What a person said to agents. */
export function formatSaid(said: string[]): string {
  return said.map((text) => `- ${text.replaceAll('\n', '\n  ')}`).join('\n') || 'Nothing.';
}

export function formatVerification(feature: FeatureState): string {
  const { steps, protectedPaths, allowed = [] } = feature.verification;
  const lines = steps.map(
    (step, index) => `${index + 1}. ${step.description}${step.command ? `\n   \`${step.command}\`` : ''}`,
  );
  if (protectedPaths.length) lines.push(`\nProtected files: ${protectedPaths.join(', ')}`);
  if (allowed.length) lines.push(`\nFiles that this feature's sessions were allowed to change: ${allowed.join(', ')}`);
  return lines.join('\n');
}

async function formatLessons({ database }: Dependencies, feature: FeatureState): Promise<string> {
  const changes = await readFeatureChanges(database, feature.id);
  const attempts = new Map((await readAttempts(database, feature.id)).map((session) => [session.id, session]));
  const lessons: string[] = [];
  for (const change of changes) {
    if (!change.lesson || !change.sessionId) continue;
    const session = attempts.get(change.sessionId);
    lessons.push(`- ${session ? `Attempt ${session.attempt}` : 'A later commit'}: ${change.lesson}`);
    const verdicts = await readVerifications(database, feature.id, { sessionId: change.sessionId });
    // What failed before the work says nothing about it.
    const steps = verdicts.filter(({ purpose }) => purpose !== 'base').flatMap((verdict) => verdict.steps);
    const failed = steps.find((step) => !step.passed);
    if (failed) lessons.push(`  Output of \`${failed.command}\`:\n\n${indent(failed.output.slice(-outputShown))}\n`);
  }
  return fence('earlier sessions and the output of checks', lessons.join('\n'), 'None: this is the first attempt.');
}

function formatProgress(entries: Awaited<ReturnType<typeof readProgress>>): string {
  return entries.map((entry) => `- ${entry.action}: ${entry.outcome.split('\n')[0]}`).join('\n');
}

function formatStep(step: StepResult): string {
  const what = `- ${step.description} (\`${step.command}\`)`;
  if (step.passed) return `${what}: passed.`;
  return `${what}: FAILED (${step.outcome}, exit code ${step.exitCode}).\n\n${indent(step.output.slice(-outputShown))}`;
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '      ');
}
