import { randomInt } from 'node:crypto';
import type { StepResult } from '../../domain/project/settings.ts';
import { drawsOf, inAnyOrder } from '../../domain/verification/spoil/draw.ts';
import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { maxSideBySide, type PreparedCommand, type PreparedCommit } from './prepared-commit.ts';
import { type CheckFile, knowsRun } from './read-checks.ts';
import { asItIs, placeAnew, planVariants, spoilStep, type Variant } from './spoil-step.ts';

/** How a step ended that passes whatever its checks say. */
export const provesNothing = 'passes with checks that must fail';

/** What a step is proven by. */
export interface Proving {
  checks: CheckFile[];
  helpers?: HelperFile[];
  /** The other steps of the feature. */
  others?: PreparedCommand[];
}

/**
 * Runs a step as it is and, beside it, with its checks spoiled. Spoiled, it must fail: a step that passes whatever its checks say proves nothing, as where the
 * work ends the test runner, steers it, or answers any comparison. Some tests are spoiled alone, since a step that leaves out one of many fails for the
 * others, and so is a helper that they use. One that this step does not notice may belong to another one, as in a repository of several packages: then
 * that one has to fail. The result has all that beside it.
 */
export async function runProven(
  prepared: PreparedCommit,
  command: PreparedCommand,
  { checks, helpers = [], others: otherSteps = [] }: Proving,
): Promise<StepResult> {
  const draw = drawsOf(randomInt(2 ** 32));
  const spoiling = spoilStep(command, { checks, helpers }, draw);
  if (spoiling.names.length === 0) return prepared.run(command);
  const { first, second, others } = planVariants(spoiling, draw);
  const runWith = (spoiled: Variant, step = command) => prepared.run(placeAnew(step, spoiling, { spoiled, draw }));
  const isNoticedElsewhere = async (variant: Variant): Promise<boolean> => {
    for (const other of otherSteps.filter((one) => runsSpoiled(one, variant, checks))) {
      const result = await runWith(variant, { ...other, ...(command.files && { files: command.files }) });
      if (!result.passed) return true;
    }
    return false;
  };

  // It is drawn which starts first, and whether the step runs as it is with the first or later: neither the time nor the container tells the work which run it is in.
  const left: Variant[] = second ? inAnyOrder([asItIs, second], draw) : [asItIs];
  let some = [first, ...left.splice(0, 1)];
  let step: StepResult | undefined;
  let spoiled: StepResult['spoiled'];
  let notNoticed: Variant | undefined;
  let noticesAny = false;
  let elsewhere: Variant | undefined;
  const alone = new Set<string>();
  while (some.length > 0) {
    some = inAnyOrder(some, draw);
    const results = await settleAll(some.map((variant) => runWith(variant)));
    for (const [index, variant] of some.entries()) {
      const result = results[index] as StepResult;
      if (variant === asItIs) step = result;
      else if (!result.passed) noticesAny = true;
      else if (step?.passed !== false && (await isNoticedElsewhere(variant))) elsewhere ??= variant;
      else notNoticed ??= variant;
      if (variant.alone) alone.add(`${variant.alone.path}: ${variant.alone.name}`);
      if (variant !== first) continue;
      const { outcome, exitCode, output } = result;
      spoiled = { files: spoiling.names, outcome, exitCode, output };
      left.push(...others(output));
    }
    if (step?.passed === false) return step;
    some = step && notNoticed ? [] : left.splice(0, maxSideBySide);
  }
  if (!step || !spoiled) throw new Error('Expected the step to have run as it is and spoiled.');
  const proven = { ...step, spoiled: { ...spoiled, ...(alone.size ? { alone: [...alone] } : {}) } };
  if (!noticesAny) notNoticed ??= elsewhere; // a step that notices nothing proves nothing
  return notNoticed ? refuse(proven, notNoticed.what) : proven;
}

/** Whether a step runs what is spoiled alone: a check, or any check where it is a helper. */
function runsSpoiled(step: PreparedCommand, { alone }: Variant, checks: CheckFile[]): boolean {
  if (!alone) return false;
  const own = checks.filter(({ path }) => path === alone.path);
  return (own.length ? own : checks).some((check) => knowsRun(step, check) !== undefined);
}

/** Waits for all of them, also where one fails: it may use what is taken down afterwards. */
async function settleAll<const Runs extends ReadonlyArray<Promise<StepResult>>>(runs: Runs) {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

function refuse(step: StepResult, what: string): StepResult {
  return {
    ...step,
    passed: false,
    outcome: provesNothing,
    output: `${step.output}\nThis step passes also where ${what}. So its exit code proves nothing: something ends the test runner early, changes what it reports, keeps it from running what it should, or answers whatever is asked.`,
  };
}
