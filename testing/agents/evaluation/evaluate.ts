import { z } from 'zod';
import { checkOptions, functionOption } from '../../../agents/runtime/check-options.ts';
import { AgentTestError } from '../agent-test-error.ts';
import type { Judge, Verdict } from './judge.ts';

/** What an agent is given, and what its answer has to be like, in words. */
export interface EvaluationCase<Input = string> {
  /** By which the result names it; its number if absent. */
  name?: string;
  input: Input;
  expectation: string;
}

export interface EvaluationOptions<Input> {
  /** Has the agent answer, such as `async (input) => (await runAgentTest(agent, input, { model })).output`. */
  answer(input: Input, number: number): Promise<unknown>;
  /** From which score a case passes; 0.7 if absent. */
  passAt?: number;
  /** How many cases are answered at once; 4 if absent. */
  atOnce?: number;
}

export interface EvaluatedCase<Input = string> extends Verdict {
  name: string;
  input: Input;
  output: unknown;
  passed: boolean;
}

export interface Evaluation<Input = string> {
  /** In the order of the cases. */
  cases: EvaluatedCase<Input>[];
  /** The mean of the scores. */
  score: number;
  /** Those below the score at which a case passes. */
  failed: EvaluatedCase<Input>[];
}

const optionsSchema = z.strictObject({
  answer: functionOption,
  passAt: z.number().min(0).max(1),
  atOnce: z.int().min(1),
});

/**
 * Has an agent answer each case, and a judge score the answers. An agent that throws scores 0, with the error as the reason.
 * @throws {AgentTestError} `ExpectationFailed` if there are no cases, or a score is not from 0 to 1; and what the judge throws.
 */
export async function evaluate<Input = string>(
  cases: readonly EvaluationCase<Input>[],
  judge: Judge<Input>,
  { answer, passAt = 0.7, atOnce = 4 }: EvaluationOptions<Input>,
): Promise<Evaluation<Input>> {
  checkOptions('The evaluation cannot begin', optionsSchema, { answer, passAt, atOnce });
  if (!cases.length) throw new AgentTestError('ExpectationFailed', 'Expected at least one case to evaluate, got none.');
  const evaluated: EvaluatedCase<Input>[] = [];
  const waiting = [...cases.entries()];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { name = `case ${index + 1}`, input, expectation }] = next;
      const answered = await tryAnswer(() => answer(input, index));
      const verdict =
        'output' in answered
          ? expectScore(await judge({ input, expectation, output: answered.output }))
          : { score: 0, reason: answered.failure };
      const output = 'output' in answered ? answered.output : undefined;
      evaluated[index] = { name, input, output, ...verdict, passed: verdict.score >= passAt };
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  const score = evaluated.reduce((sum, one) => sum + one.score, 0) / evaluated.length;
  return { cases: evaluated, score, failed: evaluated.filter(({ passed }) => !passed) };
}

function expectScore(verdict: Verdict): Verdict {
  if (verdict.score >= 0 && verdict.score <= 1) return verdict;
  throw new AgentTestError(
    'ExpectationFailed',
    `Expected the judge to give a score from 0 to 1, got ${verdict.score}.`,
  );
}

async function tryAnswer(work: () => Promise<unknown>): Promise<{ output: unknown } | { failure: string }> {
  try {
    return { output: await work() };
  } catch (error) {
    return { failure: `The agent failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** @throws {AgentTestError} `ExpectationFailed` naming each case that did not pass, its score and the reason. */
export function expectPassed({ failed, cases }: Evaluation<unknown>): void {
  if (!failed.length) return;
  const told = failed.map(({ name, score, reason }) => `\n  ${name}: ${score} (${reason})`).join('');
  throw new AgentTestError('ExpectationFailed', `${failed.length} of ${cases.length} cases did not pass:${told}`);
}
