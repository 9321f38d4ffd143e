import type { CallOutcome, CallPurpose } from '../model/model-call.ts';
import type { RunAgent } from '../project/settings.ts';
import type { RunStatus } from '../project/statuses.ts';
import type { Message } from './message.ts';

/** All that was said in a run. */
export interface Transcript {
  run: TranscriptRun;
  /** All messages, including those that a summary replaced. */
  messages: Message[];
  /** Summaries, each of which replaced the messages up to one of them, from some turn on. */
  summaries: TranscriptSummary[];
  /** The usage of each of its model calls. */
  usage: CountedCall[];
}

/** A run of an agent of a project or of a chat. */
export interface TranscriptRun {
  id: string;
  projectId: string | null;
  chatId: string | null;
  sessionId: string | null;
  /** The run that delegated to it; null if none did. */
  parentId: string | null;
  /** The topmost run of the chain of delegation; null for the topmost itself. */
  rootId: string | null;
  /** Number of runs above it. */
  depth: number;
  /** In a chat: the run that it is another branch of, and the message number before which its messages are copies of that run's. */
  continuesId: string | null;
  continuesBefore: number | null;
  role: string;
  model: string;
  status: RunStatus;
  /** What the agent submitted, or why the run ended without it. */
  result: string | null;
  turns: number;
  /** Versions of made tools that are offered to its model. */
  madeTools: string[];
  /** The agent that answers, as it was when answering the latest message began; null if it has always been the assistant. */
  agent: RunAgent | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** What replaces the older part of a run's conversation for the model; the messages themselves stay. */
export interface TranscriptSummary {
  runId: string;
  /** The last message that it replaces. */
  upToMessage: number;
  /** The first turn that uses it. */
  turn: number;
  /** What the model wrote. */
  written: string;
  /** What the agent is shown; null if it could not be used. */
  shown: string | null;
  /** Why it could not be used. */
  failure: string | null;
  createdAt: Date;
}

/** One HTTP call of a model, whatever its outcome. For tokens and dollars, null means unknown, which is not 0. */
export interface CountedCall {
  id: string;
  /** Null for a call outside any run, such as one that embeds texts. */
  runId: string | null;
  turn: number;
  /** For a summary, the last message that it covers; -1 for the call that answers the turn, and less for those that extract memories from it. */
  summaryUpTo: number;
  purpose: CallPurpose;
  outcome: CallOutcome;
  /** `provider/model`. */
  model: string;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  /** Part of `outputTokens`. */
  reasoningTokens: number | null;
  /** Whether the provider's counts were impossible, so that these are our own estimate. */
  estimated: boolean;
  /** By the prices of that day; null if the model has no price, which does not mean free, or if the tokens are unknown. */
  costUsd: number | null;
  /** The attempt of the activity that made the call, from 1. */
  attempt: number;
  /** Milliseconds to the first piece of the answer. */
  firstTokenMs: number | null;
  /** Milliseconds from the request to the end of the answer, or to the failure; null if nobody saw that end. */
  durationMs: number | null;
  /** The provider's id of the request. */
  requestId: string | null;
  /** When the call ended. */
  createdAt: Date;
}
