import { ModelError } from './model-error.ts';

/** A model may think for ten minutes without a token; one that says nothing for longer is not expected to. */
export const defaultIdleMs = 15 * 60_000;

/**
 * Does one exchange with a provider: `work` calls `touch` whenever something arrives, and is aborted where nothing does for too long.
 * What it throws is thrown as a `ModelError`, sorted by `sort` where the provider's client knows it.
 */
export async function exchange<Result>(
  options: { signal: AbortSignal; idleMs: number; sort(error: unknown): ModelError | undefined },
  work: (signal: AbortSignal, touch: () => void) => Promise<Result>,
): Promise<Result> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), options.idleMs);
  try {
    return await work(AbortSignal.any([options.signal, idle.signal]), () => void timer.refresh());
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    if (idle.signal.aborted) {
      throw new ModelError(`The model said nothing for ${options.idleMs / 1000} s.`, { why: 'timeout', cause: error });
    }
    if (error instanceof ModelError) throw error;
    const sorted = options.sort(error);
    if (sorted) throw sorted;
    const told = error instanceof Error ? error.message : String(error);
    throw new ModelError(`The model's answer broke off or could not be read: ${told}`, {
      why: 'connection',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
