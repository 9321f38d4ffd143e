import { Context } from '@temporalio/activity';
import { type FeatureState, featureOf, readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession, type SessionRow } from '../../db/project/sessions.ts';
import {
  addVerification,
  findVerification,
  type NewVerification,
  readVerifications,
  readVerificationTimes,
  regressionPrefix,
  type VerificationRow,
  verificationId,
} from '../../db/project/verifications.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { areTooFewNoticed } from '../../domain/verification/mutants.ts';
import { selectForVerification } from '../../domain/verification/select-for-verification.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { retryableFailure } from '../failures.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { describeFailedStep } from '../sandbox/harness-command.ts';
import { logRefusals } from '../sandbox/log-refusals.ts';
import { isSetUp, setUpScript } from '../sandbox/prepare-sandbox.ts';
import type { SessionCommit } from '../session/session-commit.ts';
import { readFormerFiles, type SessionWork } from './former-files.ts';
import type { PreparedCommit } from './prepared-commit.ts';
import { refuseChanges } from './protected-files.ts';
import { readScrutiny } from './read-scrutiny.ts';
import { runSteps, type Scrutiny } from './run-steps.ts';
import { tryMutants } from './try-mutants.ts';
import { createVerificationSandbox } from './verification-sandbox.ts';

export interface Verdict {
  passed: boolean;
  /** Why, under 500 characters. */
  reason: string;
  /** It passed, but its checks noticed fewer mistakes than the settings demand. */
  fewNoticed?: boolean;
}

/** The outcome of verifying earlier features again; the verdicts themselves are in the database. */
export interface LookBack {
  /** Set if a pause interrupted it between two features; the next call continues with the others. */
  paused?: true;
}

/** Together they last longer than a network outage of a minute and a half. */
const attemptsAtSetUp = 4;
const pauseBeforeSetUpMs = 30_000;

/** The activities `verifyFeature` and `verifyEarlierFeatures`: they run a feature's steps on a commit, each in a fresh container. */
export function createVerifyActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  const { prepareCommit } = createVerificationSandbox(dependencies);
  return { verifyFeature, verifyEarlierFeatures };

  async function verifyFeature(input: SessionCommit): Promise<Verdict> {
    const id = verificationId(input);
    const stored = await findVerification(database, id);
    if (stored) return asVerdict(stored);
    const project = await readProject(database, input.projectId);
    const session = await readSession(database, input.sessionId);
    const features = await readFeatures(database, input.projectId);
    const feature = featureOf(features, session);
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const changed = await repository.changedFiles(`${input.commit}^`, input.commit);
    const refused = await refuseChanges({ repository, features, feature, commit: input.commit, changed });
    const found = refused
      ? { image: null, steps: [refused] }
      : await withHeartbeat((signals) =>
          prepareCommit(
            { project, features, repository, name: id, commit: input.commit, ownSetUp: mayChangeSetUp(feature) },
            signals,
            async (prepared, setUp) => {
              await logRefusals(dependencies, { kind: 'project', id: project.id }, id);
              if (setUp && isWorthAnother(setUp, session)) throw setUpFailure(setUp, pauseBeforeSetUpMs);
              const { image } = prepared;
              if (setUp) return { image, steps: [setUp] };
              return { image, ...(await tryWork(prepared, { repository, feature, commit: input.commit, changed })) };
            },
          ),
        );
    return record(input, { id, feature, purpose: 'session', ...found });
  }

  /** Runs the feature's steps and scrutinises what passes, then puts mistakes into work that passed. */
  async function tryWork(
    prepared: PreparedCommit,
    work: SessionWork,
  ): Promise<Pick<NewVerification, 'steps' | 'mutants'>> {
    const { feature } = work;
    const scrutiny = await readAll(work);
    const begin = performance.now();
    const steps = await runSteps(prepared, feature, scrutiny);
    if (!judge(steps).passed) return { steps };
    // Evidence beside the verdict: it takes no longer than the verification itself.
    const timeMs = Math.min(dependencies.agents.mutationSeconds * 1_000, performance.now() - begin);
    const stepsMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return { steps, mutants: await tryMutants(prepared, work, { timeMs, stepsMs }) };
  }

  async function verifyEarlierFeatures(input: SessionCommit): Promise<LookBack> {
    const project = await readProject(database, input.projectId);
    const session = await readSession(database, input.sessionId);
    const features = await readFeatures(database, input.projectId);
    const name = regressionPrefix(input);
    const { commit } = input;
    const repository = await dependencies.openRepository(project.folder, project.branch);
    const verdictOf = (feature: FeatureState) => `${name}/${feature.name}`;
    const left: FeatureState[] = [];
    for (const feature of await chooseEarlier(repository, features, session, commit)) {
      if (!(await findVerification(database, verdictOf(feature)))) left.push(feature);
    }
    if (!left.length) return {};
    const own = featureOf(features, session);
    const changed = await repository.changedFiles(`${commit}^`, commit);
    const isPaused = async () => (await readProject(database, input.projectId)).status === 'PAUSED';

    return withHeartbeat((signals) =>
      prepareCommit(
        { project, features, repository, name, commit, ownSetUp: mayChangeSetUp(own) },
        signals,
        async (prepared, setUp) => {
          if (setUp) throw setUpFailure(setUp);
          for (const feature of left) {
            if (await isPaused()) return { paused: true };
            // The session may have been allowed to change what these checks use as well.
            const allowed = [...(feature.verification.allowed ?? []), ...(own.verification.allowed ?? [])];
            const asked = { ...feature, verification: { ...feature.verification, allowed } };
            const scrutiny = await readAll({ repository, feature: asked, commit, changed });
            const steps = await runSteps(prepared, feature, { ...scrutiny, before: [] });
            const { image } = prepared;
            await record(input, { id: verdictOf(feature), feature, purpose: 'regression', image, steps });
          }
          return {};
        },
      ),
    );
  }

  /** All that the work of a commit is tried with for a feature. */
  async function readAll(work: SessionWork): Promise<Scrutiny> {
    const { repository, feature, commit, changed } = work;
    const { steeringFiles } = dependencies.agents;
    const before = await readStepsBefore(feature);
    return {
      ...(await readScrutiny(repository, feature, { commit, changed, before, steeringFiles })),
      former: await readFormerFiles(work, { steeringFiles, before }),
      before,
    };
  }

  /** What the feature's steps showed when they were last seen to fail without the work. */
  async function readStepsBefore({ id }: FeatureState): Promise<StepResult[]> {
    const runs = await readVerifications(database, id, { purpose: 'base' });
    return runs.findLast(({ passed }) => passed)?.steps ?? [];
  }

  async function chooseEarlier(
    repository: ProjectRepository,
    features: FeatureState[],
    session: SessionRow,
    commit: string,
  ): Promise<FeatureState[]> {
    const passed = features.flatMap(({ commit: passedAt }) => passedAt ?? []);
    const files = await repository.filesOfCommits([commit, ...passed]);
    const verifiedAt = await readVerificationTimes(database, { projectId: session.projectId, before: session.id });
    return selectForVerification(features, {
      verified: session.featureId,
      changedFiles: files.get(commit) ?? [],
      filesOf: (feature) => files.get(feature.commit ?? '') ?? [],
      verifiedAt: (feature) => verifiedAt.get(feature.id) ?? 0,
    });
  }

  async function record(
    { projectId, sessionId, commit }: SessionCommit,
    found: Pick<NewVerification, 'id' | 'purpose' | 'image' | 'steps' | 'mutants'> & { feature: FeatureState },
  ): Promise<Verdict> {
    return asVerdict(
      await addVerification(database, { projectId, sessionId, commit, ...found, ...judge(found.steps) }),
    );
  }

  function asVerdict({ passed, reason, mutants }: Pick<VerificationRow, 'passed' | 'reason' | 'mutants'>): Verdict {
    const fewNoticed = mutants !== null && areTooFewNoticed(mutants, dependencies.agents.minMutationScore);
    return { passed, reason, ...(fewNoticed && { fewNoticed }) };
  }
}

/** The script just passed on this commit; if it fails now, the cause is outside it and may be gone at the next attempt. */
function setUpFailure(setUp: StepResult, retryAfterMs?: number): Error {
  return retryableFailure('SandboxUnavailable', describeFailedStep(setUp), { retryAfterMs });
}

/**
 * Whether a set-up that failed may say nothing about the work, as without network: it passed where the session began. What else of the commit it builds on
 * cannot be known, so that work that does break it is set up a few times in vain, which costs minutes and no model.
 */
function isWorthAnother(step: StepResult, { basis }: SessionRow): boolean {
  if (Context.current().info.attempt >= attemptsAtSetUp || !isSetUp(step)) return false;
  return basis?.some((one) => isSetUp(one) && one.passed) ?? false;
}

function mayChangeSetUp({ verification }: FeatureState): boolean {
  return verification.allowed?.includes(setUpScript) ?? false;
}

function judge(steps: StepResult[]): Pick<Verdict, 'passed' | 'reason'> {
  const failed = steps.find((step) => !step.passed);
  if (failed) return { passed: false, reason: describeFailedStep(failed) };
  return { passed: true, reason: `${steps.length} of ${steps.length} verification steps passed.` };
}
