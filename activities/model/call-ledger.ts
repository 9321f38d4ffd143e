import { randomUUID } from 'node:crypto';
import { Context, log } from '@temporalio/activity';
import { outlastOutage } from '../../db/connection/retry-until-available.ts';
import { addLostCall, insertCall, type NewCall } from '../../db/usage/add-call.ts';
import type { ModelAnswer, ModelRequest } from '../../domain/model/model-provider.ts';
import type { CallListeners } from '../../models/create-models.ts';
import { costOf } from '../../models/prices.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { ledgerRow, outcomeOfFailure } from './ledger-row.ts';

/** A call's place in the ledger. */
export type LedgerPlace = Pick<NewCall, 'runId' | 'turn' | 'summaryUpTo' | 'purpose'>;

/** What a call belongs to. */
export interface CallContext {
  place: LedgerPlace;
  note: Heartbeat['note'];
}

/** An answer with its ledger row; whoever stores the answer must store both in one transaction. */
export interface Answered extends ModelAnswer {
  model: string;
  entry: NewCall;
  /** How many calls it took to get the answer. */
  calls: number;
}

/** Calls models and records each HTTP call in the ledger. */
export function createCallLedger({ database, models }: Pick<Dependencies, 'database' | 'models'>) {
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
          await keep({ ...place, id, attempt, ...ledgerRow(call), costUsd: call.costUsd, outcome });
          note(undefined);
        },
      });
      return {
        ...answer,
        calls,
        entry: { ...place, id, attempt, ...ledgerRow(answer), costUsd: costOfAnswer(answer) },
      };

      /** Logs a failure to record, which must not hide why the call failed. */
      async function keep(row: NewCall): Promise<void> {
        try {
          await outlastOutage(request.signal, async () => {
            await insertCall(database, row);
          });
        } catch (error) {
          log.error('A call of a model could not be put in the ledger.', { ...row, error });
        }
      }
    },

    /** Records the call that an earlier attempt of this activity had in flight when its worker died. */
    async settle(): Promise<void> {
      const told = Context.current().info.heartbeatDetails as { call?: NewCall } | undefined;
      if (told?.call) await addLostCall(database, told.call);
    },
  };
}

function costOfAnswer({ model, usage: used }: ModelAnswer & { model: string }): number | null {
  return used && costOf(model, used);
}
