/** A model call that ended, however it did. */
export interface MeasuredCall {
  /** `provider/model`. */
  model: string;
  outcome: string;
  durationMs: number;
  inputTokens: number;
  /** Those of the input that were read from the provider's cache. */
  cachedTokens: number;
  outputTokens: number;
  /** Null if it is unknown. */
  costUsd: number | null;
}

/** Counts what a worker does. It never throws. */
export interface Metrics {
  modelCall(call: MeasuredCall): void;
  toolCall(tool: string, outcome: 'succeeded' | 'failed'): void;
  runEnded(kind: string, status: string): void;
}

/** Counts nothing. */
export const noMetrics: Metrics = { modelCall() {}, toolCall() {}, runEnded() {} };
