import { setTimeout as sleep } from 'node:timers/promises';
import { AgentError, isRetryable } from '../agent-error.ts';
import { checkValue } from './check-value.ts';
import type { AgentTool, ToolCallContext } from './define-tool.ts';

/** Milliseconds before the first retry of a tool; each further pause is twice as long. */
const firstPause = 500;

const places = {
  agent: 'in its process',
  client: 'on the client',
  run: 'another agent',
  sandbox: 'in the sandbox',
} as const;

/**
 * Checks the input, then runs a tool with its timeout and its retries.
 * @throws {AgentError} `InvalidValue`, `TimedOut`; the signal's reason; and what the tool throws.
 */
export async function runTool(tool: AgentTool, input: unknown, call: ToolCallContext): Promise<unknown> {
  const { name, parameters, timeoutMs, retries } = tool;
  if (!tool.run) {
    throw new AgentError(
      'InvalidDefinition',
      `The tool "${name}" runs ${places[tool.on]}, which there is only in a run.`,
    );
  }
  const checked = await checkValue(parameters, input, `The input of the tool "${name}"`);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await within(timeoutMs, call.signal, `The tool "${name}"`, async (signal) =>
        tool.run?.(checked, { ...call, signal }),
      );
    } catch (error) {
      if (call.signal.aborted || attempt >= retries || !isRetryable(error)) throw error;
      await sleep(firstPause * 2 ** attempt, undefined, { signal: call.signal });
    }
  }
}

/**
 * Does work that ends when the signal aborts or the time is over, even if the work ignores that.
 * @throws {AgentError} `TimedOut`
 */
export async function within<Result>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  what: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => over.abort(new AgentError('TimedOut', `${what} took longer than its timeout of ${timeoutMs} ms.`)),
          timeoutMs,
        );
  const aborted = new Promise<never>((_, reject) => {
    both.addEventListener('abort', () => reject(both.reason), { once: true });
  });
  try {
    return await Promise.race([work(both), aborted]);
  } finally {
    clearTimeout(timer);
    aborted.catch(() => {}); // nobody waits for it any more
  }
}
