import type { Answerer, RequestAnswer } from '../permissions/request.ts';
import type {
  ExchangeStatus,
  FeatureStatus,
  ProjectStatus,
  SessionStatus,
  VerificationPurpose,
} from '../project/statuses.ts';

/** The events of a run, whether of a project or a chat. */
export type RunEventData =
  /** What its network policy refused a sandbox; `host` with its port. Each host of a sandbox comes once. */
  | { type: 'network.refused'; sandbox: string; refusals: Array<{ host: string; why: string }> }
  | {
      type: 'assistant.message';
      run: string;
      turn: number;
      text: string;
      tools: Array<{ tool: string; preview: string }>;
      /** As counted by the provider; null if it did not count them. */
      inputTokens: number | null;
      outputTokens: number | null;
      durationMs: number;
    }
  | {
      type: 'tool.result';
      run: string;
      turn: number;
      position: number;
      tool: string;
      failed: boolean;
      preview: string;
      /** In a chat: paths of pictures that the call made, on the worker's machine. */
      pictures?: string[];
    }
  | { type: 'context.shortened'; run: string; upToMessage: number; why: string }
  | {
      type: 'context.compacted';
      run: string;
      turn: number;
      upToMessage: number;
      why: string;
      /** Estimated tokens of the conversation. */
      tokensBefore: number;
      tokensAfter: number;
      /** Of the call that wrote the summary. */
      inputTokens: number | null;
      outputTokens: number | null;
      /** Why the summary could not be used, which ended the run. */
      failure?: string | undefined;
    }
  | {
      type: 'budget.warned';
      text: string;
      /** Which limit of what: each has one warning. */
      limit: string;
    };

/** A step has failed several times and is retried until what it needs is back: why it failed. */
type DelayEventData = { type: 'work.delayed'; reason: string };

/** All events of a project, stored once and rendered by the CLI, reports and tracers. */
export type ProjectEventData =
  | { type: 'project.changed'; status: ProjectStatus; reason?: string | undefined }
  | { type: 'features.proposed'; count: number; summary: string }
  | {
      type: 'feature.changed';
      feature: string;
      from: FeatureStatus | null;
      status: FeatureStatus;
      attempts: number;
      reason?: string | undefined;
    }
  | { type: 'session.started'; session: string; number: number; feature: string; attempt: number }
  | {
      type: 'session.ended';
      session: string;
      number: number;
      feature: string;
      status: SessionStatus;
      reason?: string | undefined;
      commit?: string | undefined;
      tokens: number;
    }
  | { type: 'sandbox.opened'; sandbox: string; origin: string }
  | { type: 'run.started'; run: string; role: string; model: string }
  | { type: 'run.ended'; run: string; role: string; status: string; result: string }
  | RunEventData
  | { type: 'steering.received'; message: string; forRun?: string | undefined; text: string }
  | { type: 'steering.delivered'; message: string; run: string; messageNumber: number; text: string }
  | { type: 'budget.changed'; scope: string; text: string }
  | { type: 'models.changed'; text: string }
  | DelayEventData
  | { type: 'checks.changed'; feature: string }
  /** Something waits for a person: it is in the inbox. */
  | { type: 'request.opened'; request: string; text: string }
  | { type: 'request.answered'; request: string; answer: RequestAnswer; by: Answerer; reason?: string }
  | { type: 'decision.recorded'; decision: string; title: string; choice: string }
  | { type: 'progress.logged'; action: string; outcome: string }
  | {
      type: 'verification.completed';
      feature: string;
      commit: string;
      passed: boolean;
      purpose: VerificationPurpose;
      reason?: string | undefined;
    }
  | { type: 'checkpoint.created'; checkpoint: string; commit: string; title: string }
  | { type: 'project.reverted'; checkpoint: string; commit: string; keptRef: string; reason?: string | undefined };

export interface ProjectEvent {
  projectId: string;
  number: number;
  createdAt: Date;
  data: ProjectEventData;
}

/** All events of a chat; `exchange` is the id of a person's message. */
export type ChatEventData =
  | RunEventData
  /** `branch` is the one that starts with this message. */
  | { type: 'message.received'; exchange: string; number: number; text: string; branch?: string | undefined }
  | {
      type: 'answer.started';
      exchange: string;
      run: string;
      turn: number;
      model: string;
      recalled: number;
      /** Why memories could not be searched. */
      recallFailure?: string | undefined;
      /** Who answers from now on, if it is another agent than before, or the same one with other settings. */
      changedAgent?: string | undefined;
    }
  | { type: 'answer.ended'; exchange: string; status: ExchangeStatus; reason?: string | undefined }
  /** How many findings were kept of the exchange beyond the conversation, or why none were. */
  | { type: 'memories.extracted'; exchange: string; kept: number; reason?: string | undefined };

export interface ChatEvent {
  chatId: string;
  number: number;
  createdAt: Date;
  data: ChatEventData;
}

/** What Longhaul writes of a run of a user's own agent, besides the events that all runs have. */
export type AgentRuntimeEventData =
  | Exclude<RunEventData, { type: 'tool.result' }>
  | { type: 'run.started'; agent: string; attempt: number }
  | { type: 'run.retrying'; attempt: number; delayMs: number; reason: string }
  | DelayEventData
  | { type: 'run.succeeded'; result: string }
  | { type: 'run.failed'; reason: string }
  | { type: 'run.cancelled'; reason: string }
  | { type: 'run.timed_out'; reason: string }
  | { type: 'tool.call'; call: string; tool: string; preview: string }
  | {
      type: 'tool.result';
      call: string;
      tool: string;
      failed: boolean;
      preview: string;
    }
  /** A call waits for a person: it is in the inbox. */
  | { type: 'request.opened'; request: string; text: string }
  | { type: 'request.answered'; request: string; answer: RequestAnswer; by: Answerer; reason?: string }
  | { type: 'state.checkpoint'; number: number }
  | { type: 'step.started'; step: string; description?: string }
  | { type: 'step.completed'; step: string; durationMs: number }
  | { type: 'step.retrying'; step: string; attempt: number; delayMs: number; reason: string }
  | { type: 'step.failed'; step: string; attempt: number; reason: string }
  | { type: 'step.skipped'; step: string }
  /** `percent` from 0 to 100. */
  | { type: 'progress.update'; percent: number; text?: string };

/** An event of an agent's own, under a name that Longhaul does not use. */
export interface CustomEventData {
  type: string;
  /** Any JSON. */
  payload: unknown;
}

/** All events of a run of a user's own agent that are stored. */
export type AgentEventData = AgentRuntimeEventData | CustomEventData;

/** What watchers see of a run while it goes on, and nothing keeps: text that is being written, and signs of life. */
export type LiveEventData = { type: 'assistant.delta'; text: string } | { type: 'run.heartbeat' };

const ownFamilies = [
  'run',
  'step',
  'tool',
  'state',
  'assistant',
  'progress',
  'context',
  'network',
  'budget',
  'request',
  'work',
];

/** Whether an event's name is one of those that Longhaul uses or may use. */
export function isRuntimeEvent(type: string): boolean {
  return ownFamilies.some((family) => type.startsWith(`${family}.`));
}
