export const decisionOutcomes = ['success', 'partial', 'failure', 'reverted'] as const;
export type DecisionOutcome = (typeof decisionOutcomes)[number];

/** What came of a decision. */
export interface DecisionFeedback {
  outcome: DecisionOutcome;
  /** From -1, it did harm, to 1, it was right. */
  score: number;
  /** What later decisions should do like it, or otherwise. */
  lesson: string | null;
}

/** In a line, such as "failure (-0.5): Rounding belongs to the caller." */
export function describeFeedback({ outcome, score, lesson }: DecisionFeedback): string {
  return `${outcome} (${score})${lesson ? `: ${lesson}` : ''}`;
}
