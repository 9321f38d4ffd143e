import type { AgentTool } from '../../../agents/runtime/tools/define-tool.ts';
import { toRunRequest } from '../../../db/agent-runs/to-run-request.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import { hasEnded } from '../../../domain/agent-run/status.ts';
import type { ToolWait } from '../../../domain/agent-run/tool-wait.ts';
import type { Message } from '../../../domain/run/message.ts';
import type { Heartbeat } from '../../heartbeat.ts';
import type { HostDependencies } from '../host-dependencies.ts';
import { createSummarize } from '../summarize.ts';
import { childInput } from './child-input.ts';
import { childResult } from './child-result.ts';
import { createOpenChild } from './open-child.ts';

/** Where in its run a call is made. */
export interface CallPlace {
  runId: string;
  turn: number;
  /** The number of the answer that asks for it. */
  answerNumber: number;
}

/** A call of a declared agent's tool that runs another agent; `value` is its checked input. */
export interface AgentToolCall {
  id: string;
  tool: AgentTool & Required<Pick<AgentTool, 'calls'>>;
  value: unknown;
}

/** Makes such a call: first it says which run has to take place, and once that has ended what it brought. */
export function createCallAgent(dependencies: HostDependencies) {
  const { database } = dependencies;
  const openChild = createOpenChild(dependencies);
  const summarize = createSummarize(dependencies);

  return async (
    { runId, turn, answerNumber }: CallPlace,
    { id, tool, value }: AgentToolCall,
    { cancel, detach, note }: Heartbeat,
  ): Promise<{ output: unknown } | ToolWait> => {
    const { agent, context, output } = tool.calls;
    const child = await openChild(runId, {
      ...{ callId: id, agent: agent.key, params: value, timeoutMs: tool.timeoutMs },
      input: async () =>
        childInput(value, context, {
          conversation: await readBefore(answerNumber),
          summarize: (conversation) =>
            summarize({ runId, callId: id, turn, conversation, signal: AbortSignal.any([cancel, detach]), note }),
        }),
    });
    if (!hasEnded(child.status)) return { waits: 'run', request: toRunRequest(child) };
    return { output: await childResult(child, output) };

    /** The conversation before the answer that makes the call. */
    async function readBefore(answer: number): Promise<Message[]> {
      return (await readMessages(database, runId)).filter(({ number }) => number < answer);
    }
  };
}
