import type { ExchangeStatus, FeatureStatus, ProjectStatus, SessionStatus } from '../statuses.ts';

/** What a run tells, whoever it is of. */
export type RunEventData =
  | {
      type: 'turn-completed';
      run: string;
      turn: number;
      text: string;
      tools: Array<{ tool: string; preview: string }>;
      /** As the provider counted them; null where it did not. */
      inputTokens: number | null;
      outputTokens: number | null;
      durationMs: number;
    }
  | {
      type: 'tool-completed';
      run: string;
      turn: number;
      position: number;
      tool: string;
      failed: boolean;
      preview: string;
    }
  | { type: 'context-shortened'; run: string; upToMessage: number; why: string }
  | {
      type: 'context-compacted';
      run: string;
      turn: number;
      upToMessage: number;
      why: string;
      /** Tokens of the conversation, estimated. */
      tokensBefore: number;
      tokensAfter: number;
      /** Of the call that wrote the summary. */
      inputTokens: number | null;
      outputTokens: number | null;
      /** Why it could not be used, so that the run ended. */
      failure?: string | undefined;
    }
  | { type: 'budget-warned'; text: string };

/** Everything that a project tells of itself, stored once and rendered by the CLI, reports and tracers. */
export type ProjectEventData =
  | { type: 'project-changed'; status: ProjectStatus; reason?: string | undefined }
  | { type: 'features-proposed'; count: number; summary: string }
  | {
      type: 'feature-changed';
      feature: string;
      from: FeatureStatus | null;
      status: FeatureStatus;
      attempts: number;
      reason?: string | undefined;
    }
  | { type: 'session-started'; session: string; number: number; feature: string; attempt: number }
  | {
      type: 'session-ended';
      session: string;
      number: number;
      feature: string;
      status: SessionStatus;
      reason?: string | undefined;
      commit?: string | undefined;
      tokens: number;
    }
  | { type: 'sandbox-opened'; sandbox: string; origin: string }
  | { type: 'run-started'; run: string; role: string; model: string }
  | { type: 'run-ended'; run: string; role: string; status: string; result: string }
  | RunEventData
  | { type: 'message-received'; message: string; forRun?: string | undefined; text: string }
  | { type: 'message-interjected'; message: string; run: string; messageNumber: number; text: string }
  | { type: 'budget-changed'; scope: string; text: string }
  | { type: 'decision-recorded'; decision: string; title: string; choice: string }
  | { type: 'progress-logged'; action: string; outcome: string }
  | {
      type: 'verification-completed';
      feature: string;
      commit: string;
      passed: boolean;
      purpose: 'session' | 'regression';
      reason?: string | undefined;
    }
  | { type: 'checkpoint-created'; checkpoint: string; commit: string; title: string }
  | { type: 'project-reverted'; checkpoint: string; commit: string; keptRef: string; reason?: string | undefined };

export interface ProjectEvent {
  projectId: string;
  number: number;
  createdAt: Date;
  data: ProjectEventData;
}

/** Everything that a chat tells of itself; `exchange` is the id of a person's message. */
export type ChatEventData =
  | RunEventData
  /** `branch` is the one that begins with the message. */
  | { type: 'message-kept'; exchange: string; number: number; text: string; branch?: string | undefined }
  | {
      type: 'answer-began';
      exchange: string;
      run: string;
      turn: number;
      model: string;
      recalled: number;
      /** Why memories could not be searched. */
      recallFailure?: string | undefined;
      /** Who answers from now on, where that is another agent, or another state of it, than before. */
      changedAgent?: string | undefined;
    }
  | { type: 'answer-ended'; exchange: string; status: ExchangeStatus; reason?: string | undefined }
  /** What was kept of it beyond the conversation, or why nothing was. */
  | { type: 'memories-distilled'; exchange: string; kept: number; reason?: string | undefined };

export interface ChatEvent {
  chatId: string;
  number: number;
  createdAt: Date;
  data: ChatEventData;
}
