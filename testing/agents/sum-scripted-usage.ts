import type { Generated } from '../../agents/runtime/agent-context.ts';
import type { AgentResult } from '../../agents/runtime/definition/define-agent.ts';
import type { Operation } from '../../agents/runtime/record/run-store.ts';
import type { RunUsage } from '../../domain/agent-run/message.ts';

/** What the model calls of a run took by their script, and what the agent says that it used besides. */
export function sumScriptedUsage(operations: readonly Operation[], besides: AgentResult['usage'] = {}): RunUsage {
  const calls = operations.filter(({ kind, finished }) => kind === 'model' && finished);
  const usages = calls.map(({ result }) => (result as Generated).usage);
  const sum = (amount: 'inputTokens' | 'outputTokens') =>
    usages.reduce((total, usage) => total + (usage?.[amount] ?? 0), besides[amount] ?? 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: besides.costUsd ?? 0,
    modelCalls: calls.length,
  };
}
