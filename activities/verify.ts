import { eq } from 'drizzle-orm';
import { type FeatureState, readFeatures } from '../db/features.ts';
import { inProject, type ProjectRow } from '../db/project-transaction.ts';
import { resolveProject } from '../db/projects.ts';
import { verifications } from '../db/schema.ts';
import { readSession, recordRegressions } from '../db/sessions.ts';
import type { StepResult } from '../db/shapes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Dependencies } from './dependencies.ts';
import { passingFailure } from './failures.ts';
import { type ActivitySignals, withHeartbeat } from './heartbeat.ts';
import { fillSandbox } from './sandbox/fill-sandbox.ts';
import { runHarnessCommand } from './sandbox/harness-command.ts';
import { setUpSandbox } from './sandbox/prepare-basis.ts';
import { selectForVerification } from './select-for-verification.ts';
import { tellFailedStep, tellPassed } from './tell-verification.ts';

export interface VerifyInput {
  projectId: string;
  sessionId: string;
  commit: string;
  /** Which commit of the session this is, from 1. */
  landing: number;
}

export interface Verdict {
  passed: boolean;
  /** Why, under 500 characters. */
  reason: string;
}

/** Acceptance tests end within a minute; a step may say otherwise. */
const stepTimeoutMs = 5 * 60 * 1000;

/** The activities `verifyFeature` and `verifyEarlierFeatures`: a feature's steps on a commit, in a fresh sandbox. */
export function createVerifyActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  return { verifyFeature, verifyEarlierFeatures };

  async function verifyFeature(input: VerifyInput): Promise<Verdict> {
    const id = `${input.sessionId}-v${input.landing}`;
    const stored = await findVerdict(id);
    if (stored) return stored;
    const project = await resolveProject(database, input.projectId);
    const session = await readSession(database, input.sessionId);
    const features = await readFeatures(database, input.projectId);
    const feature = features.find((candidate) => candidate.id === session.featureId);
    if (!feature) throw new Error(`Expected the feature ${session.featureId} among those of ${input.projectId}.`);
    const touched = await changedProtectedFiles(project, features, input.commit);
    const steps = touched.length
      ? [refuseProtected(touched)]
      : await withHeartbeat((signals) =>
          inFreshSandbox({ project, name: id, commit: input.commit }, signals, (sandbox) =>
            runSteps(sandbox, feature, signals),
          ),
        );
    return record({ id, feature, commit: input.commit, sessionId: session.id, purpose: 'session', steps });
  }

  async function verifyEarlierFeatures(input: Omit<VerifyInput, 'landing'>): Promise<{ regressions: string[] }> {
    const project = await resolveProject(database, input.projectId);
    const session = await readSession(database, input.sessionId);
    const features = await readFeatures(database, input.projectId);
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const changed = await repository.changedFiles(`${input.commit}^`, input.commit);
    const changedIn = new Map<string, string[]>();
    for (const { id, commit } of features) {
      if (commit)
        changedIn.set(
          id,
          (await repository.changedFiles(`${commit}^`, commit)).map((file) => file.path),
        );
    }
    const chosen = selectForVerification(features, {
      verified: session.featureId,
      changedFiles: changed.map((file) => file.path),
      filesOf: (feature) => changedIn.get(feature.id) ?? [],
    });
    if (!chosen.length) return { regressions: [] };
    const name = `${input.sessionId}-r`;
    const verdicts = await withHeartbeat((signals) =>
      inFreshSandbox({ project, name, commit: input.commit }, signals, async (sandbox, setUp) => {
        const found: Array<{ feature: FeatureState; verdict: Verdict }> = [];
        for (const feature of chosen) {
          const id = `${name}/${feature.name}`;
          const purpose = 'regression' as const;
          const steps = setUp ? [setUp] : await runSteps(sandbox, feature, signals);
          const verdict =
            (await findVerdict(id)) ??
            (await record({ id, feature, commit: input.commit, sessionId: session.id, purpose, steps }));
          found.push({ feature, verdict });
        }
        return found;
      }),
    );
    const regressions = verdicts.flatMap(({ feature, verdict }) =>
      verdict.passed ? [] : [{ featureId: feature.id, reason: verdict.reason }],
    );
    return { regressions: await recordRegressions(database, { ...input, regressions }) };
  }

  /** Opens a sandbox for one verification and removes it afterwards; where it died under the work, the retry takes a new one. */
  async function inFreshSandbox<Result>(
    request: { project: ProjectRow; name: string; commit: string },
    signals: ActivitySignals,
    work: (sandbox: Sandbox, failedSetUp: StepResult | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { project, name, commit } = request;
    const owner = { project: project.id, owner: name, purpose: 'verification' } as const;
    const sandbox = await fillSandbox(dependencies, { project, sandbox: name, owner, commit });
    try {
      if (sandbox.origin === 'restarted') {
        throw passingFailure(
          'SandboxLost',
          'The sandbox was stopped during the verification; it is done again in a fresh one.',
        );
      }
      const setUp = await setUpSandbox(sandbox, signals);
      await sandbox.disconnect();
      const result = await work(sandbox, setUp.passed ? undefined : setUp);
      await dependencies.sandboxes.close(name);
      return result;
    } catch (error) {
      // A worker that lets go leaves the sandbox to the next attempt, which attaches to what runs in it.
      if (!signals.detach.aborted) await dependencies.sandboxes.close(name);
      throw error;
    }
  }

  async function runSteps(sandbox: Sandbox, feature: FeatureState, signals: ActivitySignals): Promise<StepResult[]> {
    const results: StepResult[] = [];
    for (const [index, step] of feature.verification.steps.entries()) {
      if (!step.command) continue;
      const result = await runHarnessCommand(
        sandbox,
        {
          id: `${feature.name}.${index}`,
          description: step.description,
          command: step.command,
          timeoutMs: step.timeoutMs ?? stepTimeoutMs,
        },
        signals,
      );
      results.push(result);
      if (!result.passed) break;
    }
    return results;
  }

  async function changedProtectedFiles(
    project: ProjectRow,
    features: FeatureState[],
    commit: string,
  ): Promise<string[]> {
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const changed = await repository.changedFiles(`${commit}^`, commit);
    const isProtected = new Set(features.flatMap((feature) => feature.verification.protectedPaths));
    const touched = changed.flatMap(({ path, previousPath }) => (previousPath ? [path, previousPath] : [path]));
    return touched.filter((path) => isProtected.has(path));
  }

  async function findVerdict(id: string): Promise<Verdict | undefined> {
    const [row] = await database.select().from(verifications).where(eq(verifications.id, id));
    return row && toVerdict(row.steps);
  }

  async function record(input: {
    id: string;
    feature: FeatureState;
    commit: string;
    sessionId: string;
    purpose: 'session' | 'regression';
    steps: StepResult[];
  }): Promise<Verdict> {
    const verdict = toVerdict(input.steps);
    const { id, feature, commit, sessionId, purpose, steps } = input;
    const projectId = feature.id.slice(0, feature.id.lastIndexOf('/'));
    await inProject(database, projectId, async ({ query, tell }) => {
      const inserted = await query
        .insert(verifications)
        .values({ id, projectId, sessionId, featureId: feature.id, commit, passed: verdict.passed, steps })
        .onConflictDoNothing()
        .returning({ id: verifications.id });
      if (!inserted.length) return;
      await tell({
        type: 'verification-completed',
        feature: feature.name,
        commit,
        passed: verdict.passed,
        purpose,
        reason: verdict.reason,
      });
    });
    return verdict;
  }
}

function toVerdict(steps: StepResult[]): Verdict {
  const failed = steps.find((step) => !step.passed);
  return failed ? { passed: false, reason: tellFailedStep(failed) } : { passed: true, reason: tellPassed(steps) };
}

function refuseProtected(paths: string[]): StepResult {
  return {
    description: 'Protected files are as they were before the work',
    command: `git diff --name-only -- ${paths.join(' ')}`,
    passed: false,
    outcome: 'exited',
    exitCode: 1,
    output: `The session changed protected files: ${paths.join(', ')}. They hold the verification and must stay as they are.`,
    durationMs: 0,
  };
}
