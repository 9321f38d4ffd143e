import type { ChatAgent } from '../project/settings.ts';

/** A conversation with a person. */
export interface Chat {
  id: string;
  name: string;
  /** The models that the person chose, comma-separated, tried in order; null for those of the role. */
  model: string | null;
  /** The user-defined agent that answers from the next message on; null for the assistant. */
  agent: ChatAgent | null;
  /** The run whose transcript the next message continues; null before the first. */
  headRunId: string | null;
  /** False if it recalls and learns nothing. */
  memory: boolean;
  /** Number of its last exchange. */
  exchangeCount: number;
  createdAt: Date;
  lastUsedAt: Date;
}
