import type { NewCall } from '../../db/usage/add-call.ts';
import type { CallOutcome } from '../../domain/model/model-call.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { FailedCall, KnownUsage } from '../../models/failed-call.ts';
import { failureTypeOf } from './model-failure.ts';

type Call = Pick<FailedCall, 'model' | 'firstTokenMs' | 'durationMs' | 'requestId'> & { usage: KnownUsage | null };

/** A call's time and tokens as the ledger records them; tokens written to a cache count as input tokens. */
export function ledgerRow({ model, usage, firstTokenMs, durationMs, requestId }: Call): Omit<NewCall, 'id'> {
  const { inputTokens = null, cachedTokens = null, outputTokens = null, reasoningTokens = null } = usage ?? {};
  return { model, inputTokens, cachedTokens, outputTokens, reasoningTokens, firstTokenMs, durationMs, requestId };
}

/** The ledger's name for the failure of a call. */
export function outcomeOfFailure(error: unknown, isStopped: boolean): CallOutcome {
  if (isStopped) return 'CANCELLED';
  return error instanceof ModelError ? failureTypeOf(error.why) : 'FAILED';
}
