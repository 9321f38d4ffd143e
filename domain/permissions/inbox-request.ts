import type { Answerer, RequestAnswer, RequestKind } from './request.ts';

/** What waits, or waited, for a person. It belongs to a project, a chat or a run of a user's own agent. */
export interface InboxRequest {
  /** Short, since a person types it. */
  id: string;
  projectId: string | null;
  chatId: string | null;
  agentRunId: string | null;
  kind: RequestKind;
  /** A sentence. */
  asked: string;
  /** The files or the call. */
  items: string[];
  /** Which rule asks, and whose it is; null if the work itself needs a person. */
  rule: string | null;
  sessionId: string | null;
  feature: string | null;
  /** When the default answer counts; null if it waits without end. */
  deadlineAt: Date | null;
  defaultAnswer: 'yes' | 'no';
  /** Null while it waits, and if it was withdrawn. */
  answer: RequestAnswer | null;
  answeredBy: Answerer | null;
  reason: string | null;
  answeredAt: Date | null;
  /** The call of a chat that its yes was used for. */
  usedBy: string | null;
  createdAt: Date;
}
