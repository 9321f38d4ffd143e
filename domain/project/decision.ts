import type { DecisionFeedback } from './decision-feedback.ts';

/** A choice that an agent made, and why. */
export interface Decision {
  id: string;
  projectId: string;
  /** Its place in the project's lineage. */
  lineageId: string;
  sequence: number;
  sessionId: string | null;
  runId: string | null;
  title: string;
  context: string;
  choice: string;
  reasoning: string;
  tags: string[];
  createdAt: Date;
}

export interface JudgedDecision extends Decision {
  /** What came of it; null if nobody has said. */
  feedback: DecisionFeedback | null;
}
