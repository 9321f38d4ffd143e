import type { AgentRun } from '../../domain/run/agent-run.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { SpanStart } from '../../domain/telemetry/span.ts';

/** The span of an agent's turns; a user's own agent has its key as its name. */
export function agentSpan(
  { owner, runId, role, feature, attempt }: Omit<AgentRun, 'maxTurns'>,
  name: string = role,
): SpanStart {
  return {
    name: `invoke_agent ${name}`,
    attributes: {
      [genAi.operation]: 'invoke_agent',
      [genAi.agent]: name,
      [genAi.conversation]: owner.kind === 'chat' ? owner.id : runId,
      'longhaul.run.id': runId,
      [`longhaul.${owner.kind}.id`]: owner.id,
      ...(feature && { 'longhaul.feature': feature }),
      ...(attempt && { 'longhaul.attempt': attempt }),
    },
  };
}
