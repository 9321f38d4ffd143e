import type { NewCall } from '../db/ledger/add-call.ts';
import type { CallOutcome } from '../db/ledger/call.ts';
import type { FailedCall, KnownUsage } from '../models/failed-call.ts';
import { ModelError } from '../models/model-error.ts';
import { failureTypeOf } from './model-failure.ts';

type Call = Pick<FailedCall, 'model' | 'firstTokenMs' | 'durationMs' | 'requestId'> & { usage: KnownUsage | null };

/** What the ledger holds of a call's time and tokens; those that were written to a cache are in those of the input. */
export function ledgerRow({ model, usage, firstTokenMs, durationMs, requestId }: Call): Omit<NewCall, 'id'> {
  const { inputTokens = null, cachedTokens = null, outputTokens = null, reasoningTokens = null } = usage ?? {};
  return { model, inputTokens, cachedTokens, outputTokens, reasoningTokens, firstTokenMs, durationMs, requestId };
}

/** What the ledger calls the failure of a call. */
export function outcomeOfFailure(error: unknown, isStopped: boolean): CallOutcome {
  if (isStopped) return 'CANCELLED';
  return error instanceof ModelError ? failureTypeOf(error.why) : 'FAILED';
}
