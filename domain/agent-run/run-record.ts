import type { AgentMessage } from './message.ts';
import type { AgentKind } from './run-request.ts';
import type { AgentRunStatus } from './status.ts';

/** Something that a recorded run did once. */
export interface RecordedOperation {
  /** `model`, `tool`, `step` or `once`. */
  kind: string;
  name: string;
  scope: string;
  key: string;
  /** Any JSON. */
  result: unknown;
}

/** A run as it is written to a file, to be played again without a model. */
export interface RunRecord {
  format: 'longhaul-run-1';
  runId: string;
  agent: string;
  kind: AgentKind;
  input: AgentMessage[];
  params: unknown;
  metadata: Record<string, unknown>;
  /** In the order in which they ended. */
  operations: RecordedOperation[];
  /** Of a declared agent: its conversation, with the instructions. */
  messages?: AgentMessage[];
  status: AgentRunStatus;
  output: unknown;
  reason?: string;
}
