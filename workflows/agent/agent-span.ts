import type { AgentRun } from '../../domain/run/agent-run.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { SpanStart } from '../../domain/telemetry/span.ts';

/** The span of all turns of an agent. */
export function agentSpan({ owner, runId, role, feature, attempt }: AgentRun): SpanStart {
  return {
    name: `invoke_agent ${role}`,
    attributes: {
      [genAi.operation]: 'invoke_agent',
      [genAi.agent]: role,
      [genAi.conversation]: owner.kind === 'chat' ? owner.id : runId,
      'longhaul.run.id': runId,
      [`longhaul.${owner.kind}.id`]: owner.id,
      ...(feature && { 'longhaul.feature': feature }),
      ...(attempt && { 'longhaul.attempt': attempt }),
    },
  };
}
