import { defineQuery, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { parallel, runAgent, type StepEvent, step, steps } from '../../../runtime/workflow/index.ts';

/** A user's own activities. */
export interface ReportActivities {
  /** Fails the first two times. */
  flaky(input: { key: string }): Promise<string>;
  refuse(): Promise<void>;
}

const { flaky, refuse } = proxyActivities<ReportActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
});

export const eventsQuery = defineQuery<StepEvent[]>('events');

/** A workflow as a user writes it: an agent, activities and functions as steps. */
export async function reportWorkflow(city: string) {
  const events: StepEvent[] = [];
  setHandler(eventsQuery, () => events);
  return steps(
    [
      step('look', async ({ state }: { state: { seen: string[] } }) => {
        state.seen.push(city);
        const { output } = await runAgent<string>('weather', `Is it cold in ${city}?`);
        return output;
      }),
      parallel([
        step('flaky', ({ idempotencyKey }) => flaky({ key: idempotencyKey }), { retries: 2, retryDelay: '50ms' }),
        step(
          'slow',
          async ({ attempt, state }: { attempt: number; state: { tries?: number } }) => {
            state.tries = (state.tries ?? 0) + attempt;
            if (attempt === 1) await sleep('1 hour');
            return attempt;
          },
          { retries: 1, retryDelay: '10ms', timeout: '200ms' },
        ),
      ]),
      step('sum', ({ results }) => Object.keys(results).join(' ')),
    ],
    { initialState: { seen: [] as string[] }, onEvent: (event) => void events.push(event) },
  );
}

/** Fails in a step that must not be tried again, beside one that waits. */
export async function refusedWorkflow() {
  await steps([parallel([step('refuse', refuse, { retries: 5 }), step('wait', () => sleep('1 hour'))])]);
}

/** Has two steps of the same name. */
export async function doubledWorkflow() {
  await steps([step('look', () => 1), step('look', () => 2)]);
}

export async function agentWorkflow(agent: string, runId: string) {
  const { output } = await runAgent(agent, 'Go.', { runId });
  return output;
}
