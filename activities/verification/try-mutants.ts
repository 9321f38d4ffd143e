import { randomInt } from 'node:crypto';
import {
  changedLines,
  describeMutant,
  isMutable,
  type Mutant,
  type MutantCounts,
  makeMutants,
} from '../../domain/verification/mutants.ts';
import { applyEdits } from '../../domain/verification/spoil/source-text.ts';
import { isKnownCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { isOfTests } from '../../domain/verification/steering-files.ts';
import type { SessionWork } from './former-files.ts';
import type { PreparedCommit } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';
import { runPlainly } from './run-steps.ts';

/** A mistake that lets a step run for so much longer counts as noticed: it may never end. */
const patience = 4;
const leastTimeoutMs = 5_000;

/**
 * Puts mistakes into the lines that verified work changed, one at a time and at random, and runs the feature's steps and sealed checks on each.
 * @param timeMs No further one is begun after this time.
 * @param stepsMs How long the steps took without a mistake.
 * @returns Undefined if no mistake was tried.
 */
export async function tryMutants(
  prepared: PreparedCommit,
  work: SessionWork,
  { timeMs, stepsMs }: { timeMs: number; stepsMs: number },
): Promise<MutantCounts | undefined> {
  if (timeMs <= 0) return undefined;
  const { contents, mutants: left } = await readMutants(work);
  const end = performance.now() + timeMs;
  const missed: string[] = [];
  let tried = 0;
  while (left.length > 0 && performance.now() < end) {
    const [mutant] = left.splice(randomInt(left.length), 1) as [Mutant];
    const { path, edit } = mutant;
    const content = contents.get(path) ?? '';
    const files = [{ path, content: applyEdits(content, [edit]) }];
    const maxTimeoutMs = Math.max(patience * stepsMs, leastTimeoutMs);
    const steps = await runPlainly(prepared, work.feature, { files, maxTimeoutMs });
    tried += 1;
    if (steps.every(({ passed }) => passed)) missed.push(describeMutant(mutant, content));
  }
  return tried > 0 ? { tried, noticed: tried - missed.length, missed } : undefined;
}

async function readMutants({ repository, feature, commit }: SessionWork) {
  const { protectedPaths } = feature.verification;
  const contents = new Map<string, string>();
  const mutants: Mutant[][] = [];
  for (const [path, lines] of changedLines(await repository.diff(`${commit}^`, commit))) {
    if (!isMutable(path) || isKnownCheck(path) || isOfTests(path) || isProtected(path, protectedPaths)) continue;
    const content = await repository.readText(commit, path);
    if (content === undefined) continue;
    contents.set(path, content);
    mutants.push(makeMutants(path, content, lines));
  }
  return { contents, mutants: mutants.flat() };
}
