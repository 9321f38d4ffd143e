import { randomUUID } from 'node:crypto';
import { Context, log } from '@temporalio/activity';
import type { Database } from '../../db/connection/database.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addLostCall, insertCall, type NewCall } from '../../db/usage/add-call.ts';
import type { CallOutcome } from '../../domain/model/model-call.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type { ModelAnswer, ModelRequest } from '../../domain/model/model-provider.ts';
import type { CallListeners } from '../../models/create-models.ts';
import type { EmbeddingCall } from '../../models/embedding/embedding-call.ts';
import type { FailedCall, KnownUsage } from '../../models/usage/failed-call.ts';
import { costOf } from '../../models/usage/prices.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Heartbeat } from '../heartbeat.ts';

/** What a recorded call belongs to. */
export type CallPlace = Pick<NewCall, 'runId' | 'turn' | 'summaryUpTo' | 'purpose'>;

/** Where a call is recorded: `note` records it while it is in flight, `place` says what it belongs to. */
export interface CallContext {
  place: CallPlace;
  note: Heartbeat['note'];
}

/** An answer with its usage row; whoever stores the answer must store both in one transaction. */
export interface Answered extends ModelAnswer {
  model: string;
  entry: NewCall;
  /** How many calls it took to get the answer. */
  calls: number;
}

export type ModelCalls = ReturnType<typeof createModelCalls>;

/** Calls models and records the usage of each HTTP call. */
export function createModelCalls({ database, models }: Pick<Dependencies, 'database' | 'models'>) {
  return {
    /**
     * Asks as `models.complete` does. A call that fails is recorded before the next one is made; each has an id of its own, so that neither a
     * database outage nor an abandoned attempt records it twice.
     */
    async ask(
      names: string,
      request: Omit<ModelRequest, 'model'>,
      { place, note }: CallContext,
      listeners: Pick<CallListeners, 'onDelta' | 'onFallback'> = {},
    ): Promise<Answered> {
      const { attempt } = Context.current().info;
      let id = '';
      let calls = 0;
      const answer = await models.complete(names, request, {
        ...listeners,
        onAsk(model) {
          id = randomUUID();
          calls += 1;
          note({ call: { ...place, id, model, attempt } satisfies NewCall });
        },
        async onFailed(call) {
          const outcome = outcomeOfFailure(call.error, request.signal.aborted);
          await keep({ ...place, id, attempt, ...usageRow(call), costUsd: call.costUsd, outcome });
          note(undefined);
        },
      });
      return {
        ...answer,
        calls,
        entry: {
          ...{ ...place, id, attempt, ...usageRow(answer), costUsd: costOfAnswer(answer) },
          ...(answer.isEstimated && { estimated: true }),
        },
      };

      /** Logs a failure to record, which must not hide why the call failed. */
      async function keep(row: NewCall): Promise<void> {
        try {
          await retryUntilAvailable(request.signal, async () => {
            await insertCall(database, row);
          });
        } catch (error) {
          log.error('Could not record the usage of a model call.', { ...row, error });
        }
      }
    },

    /** Records the call that an earlier attempt of this activity had in flight when its worker died. */
    async recordLostCall(): Promise<void> {
      const details = Context.current().info.heartbeatDetails as { call?: NewCall } | undefined;
      if (details?.call) await addLostCall(database, details.call);
    },
  };
}

function costOfAnswer({ model, usage: used }: ModelAnswer & { model: string }): number | null {
  return used && costOf(model, used);
}

type Call = Pick<FailedCall, 'model' | 'firstTokenMs' | 'durationMs' | 'requestId'> & { usage: KnownUsage | null };

/** A call's time and tokens as its usage row has them; tokens written to a cache count as input tokens. */
export function usageRow({ model, usage, firstTokenMs, durationMs, requestId }: Call): Omit<NewCall, 'id'> {
  const { inputTokens = null, cachedTokens = null, outputTokens = null, reasoningTokens = null } = usage ?? {};
  return { model, inputTokens, cachedTokens, outputTokens, reasoningTokens, firstTokenMs, durationMs, requestId };
}

/** The recorded outcome of a failed call. */
export function outcomeOfFailure(error: unknown, isStopped: boolean): CallOutcome {
  if (isStopped) return 'CANCELLED';
  return error instanceof ModelError ? error.code : 'FAILED';
}

/** Records the usage of an embedding call, under no run; the search that needs the vectors does not wait for it. */
export function createKeepEmbeddingCall(database: Database, onFailure: (error: unknown) => void) {
  return (call: EmbeddingCall): void => {
    const { costUsd, attempt, error } = call;
    const outcome = error ? outcomeOfFailure(error, false) : 'ANSWERED';
    const row = { id: randomUUID(), ...usageRow(call), runId: null, purpose: 'embedding' as const };
    insertCall(database, { ...row, costUsd, attempt, outcome }).catch(onFailure);
  };
}
