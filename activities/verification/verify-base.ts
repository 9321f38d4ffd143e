import { type FeatureState, featureOf, readFeatures } from '../../db/features/features.ts';
import { hashJson } from '../../db/project/evidence-chain.ts';
import { readSession } from '../../db/project/sessions.ts';
import { addVerification, baseVerificationId, readVerifications } from '../../db/project/verifications.ts';
import { readRuns } from '../../db/transcript/transcript.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { preview } from '../../domain/storable-text.ts';
import { findUnproven } from '../../domain/verification/red-before-green.ts';
import { runsCheck } from '../../domain/verification/spoil/spoil-check.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { isSetUp } from '../sandbox/prepare-sandbox.ts';
import { runPlainly } from './run-steps.ts';
import { createVerificationSandbox } from './verification-sandbox.ts';

export interface BaseRequest {
  sessionId: string;
  /** The session's. */
  sandbox: Sandbox;
  /** A person asked for a session on this feature by its name, which accepts a verification that passes already. */
  requestedByName: boolean;
}

/** A verification that proves nothing. */
export interface Unproven {
  /** Under 500 characters, for a person. */
  reason: string;
  /** Whether an agent may write it anew: an initializer wrote it, and not too often in vain. */
  mayRewrite: boolean;
}

/** A person takes the verification as it is. */
const accepted = {
  image: null,
  steps: [],
  passed: true,
  reason: 'A person asked for a session on the feature although its verification passes already.',
};

/** How often agents write the verification of a feature anew before a person is asked. */
const maxRewrites = 3;

/** Runs a feature's verification before the work begins, where it must fail: what passes without the work proves nothing. */
export function createVerifyBase(dependencies: Dependencies) {
  const { database } = dependencies;
  const { fork } = createVerificationSandbox(dependencies);

  /**
   * Runs it in forks of the session's sandbox, which nothing of an agent has used yet. It runs until it was seen to fail once; later sessions on the
   * feature rely on that.
   * @returns Why it proves nothing, if so.
   */
  return async function verifyBase(
    { sessionId, sandbox, requestedByName }: BaseRequest,
    signals: ActivitySignals,
  ): Promise<Unproven | undefined> {
    const session = await readSession(database, sessionId);
    const feature = featureOf(await readFeatures(database, session.projectId), session);
    const ofFeature = await readVerifications(database, feature.id, { purpose: 'base' });
    const checks = hashJson(feature.verification);
    const earlier = ofFeature.filter((one) => one.checks === checks);
    const own = earlier.find((one) => one.sessionId === sessionId);
    if (own) return own.passed ? undefined : describeUnproven(own.reason);
    if (earlier.some(({ passed }) => passed)) return undefined;
    // Without what the set-up installs, a failure says nothing. The next session tries again.
    if (session.basis?.some((step) => isSetUp(step) && !step.passed)) return undefined;
    const { projectId, baseCommit: commit } = session;
    if (!commit) throw new Error(`Expected the session ${sessionId} to have begun at a commit.`);
    const isAccepted = requestedByName && earlier.length > 0;
    const outcome = isAccepted ? accepted : await runOnBase(commit);
    const id = baseVerificationId(sessionId);
    await addVerification(database, { id, projectId, sessionId, commit, feature, purpose: 'base', ...outcome });
    return outcome.passed ? undefined : describeUnproven(outcome.reason);

    async function runOnBase(commit: string) {
      const steps = await fork(sandbox, signals, (prepared) => runPlainly(prepared, feature));
      const unproven = findUnproven(steps, checksOfLast(steps, feature));
      const reason = unproven ? describe(unproven, feature, commit) : 'It fails before the work, as it should.';
      return { image: sandbox.image, steps, passed: !unproven, reason };
    }

    async function describeUnproven(reason: string): Promise<Unproven> {
      const isPlanned = (await readRuns(database, session.projectId)).some(({ role }) => role === 'initializer');
      const rewrites = ofFeature.filter((one) => !one.passed && one.sessionId !== sessionId).length;
      return { reason, mayRewrite: isPlanned && rewrites < maxRewrites };
    }
  };
}

function checksOfLast(steps: StepResult[], { verification }: FeatureState): string[] {
  const command = steps.at(-1)?.command ?? '';
  return verification.protectedPaths.filter((path) => runsCheck(command, path));
}

function describe(unproven: string, { name, verification }: FeatureState, commit: string): string {
  const files = preview(verification.protectedPaths.join(', '), 120);
  const change = files ? `Change ${files} in the project's folder` : `Change it by \`longhaul checks ${name} --from\``;
  return `The verification of "${name}" proves nothing: at ${commit.slice(0, 8)}, ${unproven}. ${change}, then \`longhaul resume\`. \`longhaul session --feature ${name}\` works on it as it is.`;
}
