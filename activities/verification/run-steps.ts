import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { PreparedCommit } from './prepared-commit.ts';
import { proveStep } from './spoil.ts';

/** Acceptance tests end within a minute; a step may say otherwise. */
const stepTimeoutMs = 5 * 60 * 1000;

/** Runs the steps of a feature's verification until one fails; with `spoiled` checks, each step that passes has to fail with them. */
export async function runSteps(
  prepared: PreparedCommit,
  feature: FeatureState,
  spoiled = new Map<string, string>(),
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { description, command, timeoutMs = stepTimeoutMs } of feature.verification.steps) {
    if (!command) continue;
    const result = await prepared.run({ description, command, timeoutMs });
    const proven = result.passed ? await proveStep(prepared, result, { spoiled, timeoutMs }) : result;
    results.push(proven);
    if (!proven.passed) break;
  }
  return results;
}
