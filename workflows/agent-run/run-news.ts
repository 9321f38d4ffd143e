import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { database } from '../activities.ts';
import { wakeSignal } from '../chat/messages.ts';
import { answerRequestSignal } from '../project/requests/messages.ts';

/** What a run learns while its calls wait. */
export interface RunNews {
  /** How much has come so far. */
  readonly count: number;
  /** Waits until more than `seen` has come, or until a time, in milliseconds since 1970. */
  after(seen: number, until?: number): Promise<void>;
}

/** Handles the signals by which a run's waiting calls learn that they may look again. */
export function createRunNews(runId: string): RunNews {
  let count = 0;
  setHandler(answerRequestSignal, async (answer) => {
    if (!answer) return;
    await CancellationScope.nonCancellable(() => database.answerRunRequest({ runId, ...answer }));
    count += 1;
  });
  setHandler(wakeSignal, () => {
    count += 1;
  });
  return {
    get count() {
      return count;
    },
    async after(seen, until) {
      const hasCome = () => count > seen;
      if (until === undefined) return condition(hasCome);
      await condition(hasCome, Math.max(1, until - Date.now()));
    },
  };
}
