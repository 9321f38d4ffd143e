import type { AgentContext } from '../agent-context.ts';
import { runtimeOf } from '../runtime-of.ts';
import { type KeptFailure, keptFailureOf, toError } from './kept-failure.ts';

/**
 * Calls a tool of the agent for a framework that tells a failure to the model: the failure is kept, so that after a crash the model's next question is
 * the one that was answered.
 * @throws {Error} of the name and message of what `context.callTool` threw.
 */
export async function keepFailure(
  context: AgentContext<never, never> | AgentContext,
  name: string,
  input: unknown,
): Promise<unknown> {
  let called: { value?: unknown; thrown?: unknown } | undefined;
  const failure = await runtimeOf(context).recorder.perform<KeptFailure | null>(
    { kind: 'failure', name, request: input },
    async () => {
      try {
        called = { value: await context.callTool(name, input) };
        return { result: null };
      } catch (thrown) {
        if (context.signal.aborted) throw thrown;
        called = { thrown };
        return { result: keptFailureOf(thrown) };
      }
    },
  );
  if (failure) throw toError(failure, called?.thrown);
  return called ? called.value : context.callTool(name, input); // recorded: it is not run again
}
