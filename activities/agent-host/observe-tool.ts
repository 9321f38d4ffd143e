import type { ObserveTool } from '../../agents/runtime/observe-tool.ts';
import { observeCall } from '../telemetry/observe-call.ts';
import { textOf } from './execute-call.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** Makes each tool call of a coded agent's run a span of its trace. */
export function createObserveTool(
  { telemetry, agent }: Pick<HostDependencies, 'telemetry' | 'agent'>,
  runId: string,
): ObserveTool {
  const run = { runId, role: 'agent' as const, agent: agent.key, owner: { kind: 'run' as const, id: runId } };

  return async ({ id, name, input }, work) => {
    const call = { id, name, arguments: JSON.stringify(input) ?? '' };
    const { result } = await observeCall(telemetry, run, call, async () => {
      const done = await work();
      return { failed: false, text: textOf(done), result: done };
    });
    return result;
  };
}
