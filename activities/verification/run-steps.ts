import type { FeatureState } from '../../db/project/features.ts';
import type { SealedCheck, StepResult } from '../../domain/project/settings.ts';
import type { PlacedFile, PreparedCommit } from './prepared-commit.ts';
import { runProven } from './spoil.ts';

/** Acceptance tests end within a minute; a step may say otherwise. */
const stepTimeoutMs = 5 * 60 * 1000;

/** Runs the steps of a feature's verification and its sealed checks until one fails; each step that passes has to fail once its `checks` are spoiled. */
export async function runSteps(
  prepared: PreparedCommit,
  feature: FeatureState,
  checks: PlacedFile[] = [],
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { description, command, timeoutMs = stepTimeoutMs } of feature.verification.steps) {
    if (!command) continue;
    const result = await runProven(prepared, { description, command, timeoutMs }, checks);
    results.push(result);
    if (!result.passed) return results;
  }
  for (const check of feature.verification.sealed) {
    const result = await runSealedCheck(prepared, check);
    results.push(result);
    if (!result.passed) return results;
  }
  return results;
}

/** Runs a check that the agents that do the work never see: of its result, they read the requirement and nothing else. */
async function runSealedCheck(prepared: PreparedCommit, check: SealedCheck): Promise<StepResult> {
  const { requirement: description, command, files, timeoutMs = stepTimeoutMs } = check;
  const { output, ...step } = await runProven(prepared, { description, command, timeoutMs, files }, files);
  return { ...step, command: 'sealed', output: '', sealed: { command, output } };
}
