import { randomBytes } from 'node:crypto';
import type { ActivitySignals } from '../activities/heartbeat.ts';
import { describeFailedStep } from '../activities/sandbox/harness-command.ts';
import { readScrutiny } from '../activities/verification/read-scrutiny.ts';
import { runSteps } from '../activities/verification/run-steps.ts';
import { createVerificationSandbox } from '../activities/verification/verification-sandbox.ts';
import { findTampering, hashJson } from '../db/project/evidence-chain.ts';
import type { Rule } from '../domain/permissions/rule.ts';
import type { EvidenceBundle } from '../domain/verification/evidence.ts';
import type { ProjectRepository } from '../git/repository/project-repository.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';

export interface RepositoryVerification {
  repository: ProjectRepository;
  /** The evidence of the project that made the repository. */
  bundle: EvidenceBundle;
  commit: string;
  sandboxes: Sandboxes;
  /** The image of the sandboxes if the project names none. */
  image: string;
  /** Those of this machine's settings, beside those on hosts that the bundle has. */
  rules: readonly Rule[];
  signal: AbortSignal;
  /** Called with each feature's result as soon as it is known. */
  onFeature?: (result: ReproducedFeature) => void;
}

/** A verdict that a feature passed, tried again. */
export interface ReproducedFeature {
  feature: string;
  /** The commit at which it had passed. */
  passedAt: string;
  reproduced: boolean;
  /** Why not, or how much passed. */
  reason: string;
}

export interface RepositoryVerdict {
  /** What does not fit together in the evidence and the repository, one sentence each. */
  tampering: string[];
  /** Of each feature that had passed by this commit. */
  features: ReproducedFeature[];
}

/**
 * Checks a project's evidence and runs the verification of each feature that had passed by a commit, at that commit: with the checks as they are and
 * spoiled, in containers as a session's verification, without Temporal or a database.
 */
export async function verifyRepository(request: RepositoryVerification): Promise<RepositoryVerdict> {
  const { repository, bundle, commit, onFeature } = request;
  const tampering = [
    ...findTampering(bundle.verdicts),
    ...findChangedChecks(bundle),
    ...(await findUnknownTrailers(repository, bundle, commit)),
  ];
  const passed = await findPassed(repository, bundle, commit);
  const features: ReproducedFeature[] = [];
  if (passed.length === 0) return { tampering, features };
  const { sandboxes, image, signal } = request;
  const { prepareCommit } = createVerificationSandbox({
    sandboxes,
    defaultImage: image,
    agents: { permissions: { rules: request.rules } },
  });
  const project = {
    id: bundle.project.id,
    settings: { image: bundle.project.image ?? undefined, network: bundle.project.network },
  };
  const name = `${bundle.project.id}-verify-${randomBytes(4).toString('hex')}`;
  const signals: ActivitySignals = { cancel: signal, detach: new AbortController().signal };
  const prepared = { project, features: passed.map(({ feature }) => feature), repository, name, commit };
  await prepareCommit(prepared, signals, async (prepared, failedSetUp) => {
    for (const { feature, passedAt } of passed) {
      const scrutiny = await readScrutiny(repository, feature, { commit, base: `${passedAt}^` });
      const steps = failedSetUp ? [failedSetUp] : await runSteps(prepared, feature, scrutiny);
      const failed = steps.find((step) => !step.passed);
      const reason = failed ? describeFailedStep(failed) : `${steps.length} of ${steps.length} steps passed.`;
      const result = { feature: feature.name, passedAt, reproduced: !failed, reason };
      features.push(result);
      onFeature?.(result);
    }
  });
  return { tampering, features };
}

/** The features whose last verdict at this commit or before it is a pass. */
async function findPassed(repository: ProjectRepository, bundle: EvidenceBundle, commit: string) {
  const passed: Array<{ feature: EvidenceBundle['features'][number]; passedAt: string }> = [];
  for (const feature of bundle.features) {
    const verdicts = bundle.verdicts.filter((one) => one.feature === feature.name && one.purpose !== 'base');
    for (const verdict of verdicts.reverse()) {
      if (!(await isContained(repository, verdict.commit, commit))) continue;
      if (verdict.passed) passed.push({ feature, passedAt: verdict.commit });
      break;
    }
  }
  return passed;
}

async function isContained(repository: ProjectRepository, commit: string, by: string): Promise<boolean> {
  const found = await repository.resolve(commit);
  return found !== undefined && (found === by || (await repository.isAncestor(found, by)));
}

function findChangedChecks({ features, verdicts }: EvidenceBundle): string[] {
  return features.flatMap(({ name, verification }) => {
    const last = verdicts.findLast(({ feature }) => feature === name);
    if (!last || last.checks === hashJson(verification)) return [];
    return [`The checks of "${name}" are not those of ${last.id}.`];
  });
}

/** Each commit of a session names the verdict before it. */
async function findUnknownTrailers(repository: ProjectRepository, bundle: EvidenceBundle, commit: string) {
  const hashes = new Set(bundle.verdicts.map(({ hash }) => hash));
  const entries = await repository.log(commit, { limit: maxCommits });
  return entries.flatMap(({ commit, trailers }) => {
    const named = trailers['Longhaul-Project'] === bundle.project.id ? trailers['Longhaul-Evidence'] : undefined;
    return named === undefined || hashes.has(named)
      ? []
      : [`Commit ${commit.slice(0, 8)} names a verdict that the evidence does not have: ${named.slice(0, 8)}.`];
  });
}

/** More than a project of 200 features makes with all of its attempts. */
const maxCommits = 10_000;
