import { setTimeout as sleep } from 'node:timers/promises';
import { preview } from '../../../domain/storable-text.ts';
import { isRetryable } from '../agent-error.ts';
import type { Recorder } from '../record/recorder.ts';
import type { RunStore } from '../record/run-store.ts';
import { within } from '../tools/run-tool.ts';
import type { Step } from './step.ts';

/** A step's result, and the state that it left. */
export interface StepRun {
  result: unknown;
  state: object;
}

export interface StepToRun {
  step: Step;
  state: object;
  results: Record<string, unknown>;
  recorder: Recorder;
  store: RunStore;
  signal: AbortSignal;
}

/** Runs one step, or returns what it returned before a crash. */
export async function runStep({ step, state, results, recorder, store, signal }: StepToRun): Promise<StepRun> {
  const { name, description, checkpoint } = step;
  let ran = false;
  const perform = checkpoint ? recorder.perform : undefined;
  const work = async (key: string) => {
    ran = true;
    await store.append([{ type: 'step.started', step: name, ...(description && { description }) }]);
    const started = performance.now();
    const result = await attempt(key);
    const durationMs = Math.round(performance.now() - started);
    return { result, events: [{ type: 'step.completed' as const, step: name, durationMs }] };
  };

  async function attempt(idempotencyKey: string): Promise<StepRun> {
    for (let number = 1; ; number += 1) {
      const changed = structuredClone(state);
      try {
        const given = { state: changed as never, results, attempt: number, idempotencyKey };
        const result = await within(step.timeoutMs, signal, `The step "${name}"`, async (both) =>
          step.run({ ...given, signal: both }),
        );
        return { result: result ?? null, state: changed };
      } catch (error) {
        const reason = preview(error instanceof Error ? error.message : String(error), 300);
        if (signal.aborted) throw error;
        if (number > step.retries || !isRetryable(error)) {
          await store.append([{ type: 'step.failed', step: name, attempt: number, reason }]);
          throw error;
        }
        const delayMs = step.retryDelayMs * step.backoff ** (number - 1);
        await store.append([{ type: 'step.retrying', step: name, attempt: number + 1, delayMs, reason }]);
        await sleep(delayMs, undefined, { signal });
      }
    }
  }

  if (!perform) {
    const { result, events } = await work(`${name}`);
    await store.append(events);
    return result;
  }
  const kept = await perform({ kind: 'step', name }, work);
  if (!ran) await store.append([{ type: 'step.skipped', step: name }]);
  return kept;
}
