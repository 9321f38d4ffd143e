import { preview } from '../../../domain/storable-text.ts';
import type { AgentContext } from '../agent-context.ts';
import { type KeptFailure, keptFailureOf, toError } from '../record/kept-failure.ts';
import { runtimeOf } from '../runtime-of.ts';

export interface FrameworkCall {
  tool: string;
  /** Any JSON. */
  input: unknown;
  /** Not to be begun twice. */
  once: boolean;
  /** Whether a failure has to be the same after a crash, since the framework tells it to the model; else it ends the run, and another try may do better. */
  keepsFailure: boolean;
}

type Kept = { value: unknown } | { failure: KeptFailure };

/**
 * Does a tool call of another framework once.
 * @throws {AgentError} `CallCutOff`; the run's or the call's signal's reason; and what the work threw, which is an error of its name and message if it is kept.
 */
export async function recordToolCall(
  context: AgentContext<never, never> | AgentContext,
  { tool, input, once, keepsFailure }: FrameworkCall,
  work: (call: { idempotencyKey: string; signal: AbortSignal }) => Promise<unknown>,
  signal: AbortSignal = context.signal,
): Promise<unknown> {
  const { recorder, store, observe } = runtimeOf(context);
  signal.throwIfAborted();
  let thrown: unknown;
  const kept = await recorder.perform<Kept>({ kind: 'call', name: tool, request: input, once }, async (key) => {
    const call = { call: key, tool };
    const resultOf = (failed: boolean, shown: unknown) => [
      { type: 'tool.result' as const, ...call, failed, preview: previewOf(shown) },
    ];
    await store.append([{ type: 'tool.call', ...call, preview: previewOf(input) }]);
    try {
      const value =
        (await observe({ id: key, name: tool, input }, () => work({ idempotencyKey: key, signal }))) ?? null;
      return { result: { value }, events: resultOf(false, value) };
    } catch (error) {
      if (context.signal.aborted || signal.aborted) throw error;
      thrown = error;
      const failure = keptFailureOf(error);
      if (!keepsFailure) {
        await store.append(resultOf(true, failure.message));
        throw error;
      }
      return { result: { failure }, events: resultOf(true, failure.message) };
    }
  });
  if ('value' in kept) return kept.value;
  throw toError(kept.failure, thrown);
}

function previewOf(value: unknown): string {
  return preview(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 160);
}
