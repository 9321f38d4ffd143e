import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { regressionPrefix } from '../db/end-session.ts';
import { type FeatureState, readFeatures } from '../db/features.ts';
import { inProject, type ProjectRow } from '../db/project-transaction.ts';
import { resolveProject } from '../db/projects.ts';
import { verifications } from '../db/schema/work.ts';
import { readSession } from '../db/sessions.ts';
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
          inFreshSandbox({ project, name: id, commit: input.commit }, signals, async (sandbox, setUp) =>
            setUp ? [setUp] : runSteps(sandbox, feature, signals),
          ),
        );
    return record({ id, feature, commit: input.commit, sessionId: session.id, purpose: 'session', steps });
  }

  async function verifyEarlierFeatures(input: VerifyInput): Promise<void> {
    const project = await resolveProject(database, input.projectId);
    const session = await readSession(database, input.sessionId);
    const features = await readFeatures(database, input.projectId);
    const chosen = await chooseEarlier(project, features, session.featureId, input.commit);
    if (!chosen.length) return;
    const name = regressionPrefix(input);
    const { commit } = input;
    await withHeartbeat(async (signals) => {
      const verified = await inFreshSandbox({ project, name, commit }, signals, async (sandbox, setUp) => {
        if (setUp) throw setUpFailure(setUp);
        const results: Array<{ feature: FeatureState; steps: StepResult[] }> = [];
        for (const feature of chosen) results.push({ feature, steps: await runSteps(sandbox, feature, signals) });
        return results;
      });
      for (const { feature, steps } of verified) {
        const id = `${name}/${feature.name}`;
        if (await findVerdict(id)) continue;
        // What the steps of others left behind must not count against it: a failure has to stand alone too.
        const sure = steps.every((step) => step.passed) ? steps : await verifyAlone(feature, signals);
        await record({ id, feature, commit, sessionId: session.id, purpose: 'regression', steps: sure });
      }
    });

    function verifyAlone(feature: FeatureState, signals: ActivitySignals): Promise<StepResult[]> {
      return inFreshSandbox({ project, name: `${name}-${feature.position}`, commit }, signals, (sandbox, setUp) => {
        if (setUp) throw setUpFailure(setUp);
        return runSteps(sandbox, feature, signals);
      });
    }
  }

  async function chooseEarlier(
    project: ProjectRow,
    features: FeatureState[],
    verified: string,
    commit: string,
  ): Promise<FeatureState[]> {
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const filesAt = async (at: string) => (await repository.changedFiles(`${at}^`, at)).map((file) => file.path);
    const files = new Map<string, string[]>();
    for (const { id, commit: passedAt } of features) if (passedAt) files.set(id, await filesAt(passedAt));
    return selectForVerification(features, {
      verified,
      changedFiles: await filesAt(commit),
      filesOf: (feature) => files.get(feature.id) ?? [],
    });
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
      const intact = setUp.passed ? await checkProtectedFiles(project, sandbox, commit, signals) : setUp;
      const result = await work(sandbox, intact.passed ? undefined : intact);
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

  /** The set-up script is the agent's to change; it must not change what the verification runs. */
  async function checkProtectedFiles(
    project: ProjectRow,
    sandbox: Sandbox,
    commit: string,
    signals: ActivitySignals,
  ): Promise<StepResult> {
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const features = await readFeatures(database, project.id);
    const paths = new Set(features.flatMap((feature) => feature.verification.protectedPaths));
    const sums: string[] = [];
    for (const path of paths) {
      const content = await repository.readFile(commit, path);
      if (content) sums.push(`${createHash('sha256').update(content).digest('hex')}  ${path}\n`);
    }
    const description = 'The set-up script leaves the protected files as they are';
    // By its whole path: a program of this name in the agent's own folders would come first.
    const command = '/usr/bin/sha256sum --check --quiet --strict -';
    if (!sums.length) {
      return { description, command, passed: true, outcome: 'exited', exitCode: 0, output: '', durationMs: 0 };
    }
    return runHarnessCommand(
      sandbox,
      { id: 'protected-files', description, command, timeoutMs: 60_000, input: sums.join('') },
      signals,
    );
  }

  async function changedProtectedFiles(
    project: ProjectRow,
    features: FeatureState[],
    commit: string,
  ): Promise<string[]> {
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const changed = await repository.changedFiles(`${commit}^`, commit);
    const isProtected = features.flatMap((feature) => feature.verification.protectedPaths);
    const touched = changed.flatMap(({ path, previousPath }) => (previousPath ? [path, previousPath] : [path]));
    return touched.filter((path) => isProtected.some((one) => path === one || path.startsWith(`${one}/`)));
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
        .values({ id, projectId, sessionId, featureId: feature.id, commit, ...verdict, steps })
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

/** The script passed on this commit a moment ago; what fails now is around it, and may be gone at the next attempt. */
function setUpFailure(setUp: StepResult): Error {
  return passingFailure('SandboxUnavailable', tellFailedStep(setUp));
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
