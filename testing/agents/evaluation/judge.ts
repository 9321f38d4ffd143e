/** A judge's opinion of an answer. */
export interface Verdict {
  /** From 0, not at all as expected, to 1, fully. */
  score: number;
  reason: string;
}

/** Scores one answer. */
export type Judge<Input = unknown> = (given: {
  input: Input;
  expectation: string;
  output: unknown;
}) => Verdict | Promise<Verdict>;
