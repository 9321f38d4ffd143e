import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import { type OutsideCallRow, openOutsideCall } from '../../db/agent-runs/outside-calls.ts';
import { preview } from '../../domain/storable-text.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** Asks for a call that is made outside the agent's process, or finds that it was asked for, and perhaps ended. */
export function createOpenCall({ database }: Pick<HostDependencies, 'database'>) {
  return (
    runId: string,
    { id, tool, value }: { id: string; tool: AgentTool; value: unknown },
  ): Promise<OutsideCallRow> => {
    const { name, on, hasSideEffects, timeoutMs = null } = tool;
    if (on === 'agent' || on === 'run') throw new Error(`Expected a tool that runs elsewhere, got "${name}".`);
    return openOutsideCall(
      database,
      { runId, id, place: on, tool: name, input: value, hasSideEffects, timeoutMs },
      { call: id, preview: preview(JSON.stringify(value) ?? '', 160) },
    );
  };
}
