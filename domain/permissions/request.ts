/** What a request asks a person: to let verified work land, to have a feature attempted again, to let a tool call happen, to spend more. */
export type RequestKind = 'landing' | 'feature' | 'call' | 'spending';

export const requestAnswers = ['yes', 'no', 'edit'] as const;

/** `edit`: not this way, but as the reason says. */
export type RequestAnswer = (typeof requestAnswers)[number];

/** Who answered; `withdrawn`: nobody did, since what was asked for no longer exists. */
export type Answerer = 'person' | 'deadline' | 'withdrawn';

/** The signal `answerRequest`. */
export interface AnswerSignal {
  /** As `longhaul inbox` shows it. */
  id: string;
  answer: RequestAnswer;
  reason?: string;
}

/** A request as it is answered now; the answer is null if it was withdrawn. */
export interface AnsweredRequest {
  id: string;
  kind: RequestKind;
  answer: RequestAnswer | null;
}

/** The request of a project whose deadline comes next. */
export interface RequestDeadline {
  id: string;
  /** ISO 8601. */
  deadline: string;
  /** What counts as the answer then. */
  answer: RequestAnswer;
}

/** How long requests wait, and what counts as the answer then. */
export interface RequestSettings {
  /** After which the default answer counts; they wait without end if absent. */
  deadlineHours?: number | undefined;
  defaultAnswer: 'yes' | 'no';
}

export function isAnswer(text: unknown): text is RequestAnswer {
  return requestAnswers.some((one) => one === text);
}
