import { programTool } from '../../agents/runtime/tools/program-tool.ts';
import { createToolRegistry } from '../../agents/runtime/tools/tool-registry.ts';
import { keepOutput } from '../../db/agent-runs/attempts.ts';
import { isAlreadyThere } from '../../db/connection/query-errors.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { beginToolCall } from '../../db/transcript/begin-tool-call.ts';
import { readOutcome } from '../../db/transcript/read-outcome.ts';
import { insertMessage, insertToolCall, readMessagesAt } from '../../db/transcript/transcript.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { ToolWait } from '../../domain/agent-run/tool-wait.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import { type Heartbeat, withHeartbeat } from '../heartbeat.ts';
import { describeCutOff } from '../model/skipped-calls.ts';
import type { ToolSummary, ToolTurn } from '../tools/run-tool.ts';
import { traceOf } from '../tools/trace-of.ts';
import { createExecuteCall } from './execute-call.ts';
import type { HostDependencies } from './host-dependencies.ts';
import { type CallResult, submitResult } from './submit-result.ts';

/**
 * The activity `runAgentTool`: executes one tool call of a declared agent and stores its result; a call that has a result is not executed again. A call
 * that has to wait returns what for; its workflow waits, then calls this again.
 */
export function createRunAgentTool(dependencies: HostDependencies) {
  const { database, agent, answers } = dependencies;
  const tools = agent.codeMode ? [programTool] : createToolRegistry(agent.tools).list();
  const executeCall = createExecuteCall(dependencies);

  return async function runAgentTool(input: ToolTurn): Promise<ToolSummary | ToolWait> {
    const { runId, turn, position, messageNumber } = input;
    const answerNumber = messageNumber - 1 - position; // the results follow their answer, in the order of its calls
    const [answer, stored] = await readMessagesAt(database, runId, [answerNumber, messageNumber]);
    const call = answer?.content.toolCalls?.[position];
    if (!answer || !call) throw new Error(`Expected call ${position} in turn ${turn} of ${runId}, found none.`);
    const id = `${runId}.${turn}.${position}`;
    if (stored) return summarize(id, call, { text: stored.content.text, ...(await readOutcome(database, input)) });
    const cutOff = describeCutOff(answer, position);
    const calls = answer.content.toolCalls?.length ?? 0;
    const result = await withHeartbeat((signals) =>
      answers.attend(runId, async () => {
        if (cutOff !== undefined) return { text: cutOff, failed: true };
        return call.name === submitTool ? submitResult(agent, call, calls) : execute(input, id, call, signals);
      }),
    );
    if ('waits' in result) return result;
    await store(input, id, call, result);
    answers.tellStored(runId);
    return summarize(id, call, result);
  };

  /** Whether a call's success ends the run: the result was submitted, or another agent has taken over. */
  function endsRun(name: string): boolean {
    return name === submitTool || tools.some((tool) => tool.name === name && tool.calls?.handsOff);
  }

  async function execute(
    input: ToolTurn,
    id: string,
    { name: called, arguments: given }: RequestedToolCall,
    signals: Heartbeat,
  ): Promise<CallResult | ToolWait> {
    const tool = tools.find(({ name }) => name === called);
    const { runId, turn, position, messageNumber } = input;
    const place = { runId, turn, answerNumber: messageNumber - 1 - position };
    const begin = () => beginToolCall(database, { runId, turn, position, name: called });
    if (tool) return executeCall({ ...place, begin }, { id, tool, input: given }, signals);
    const names = tools.map(({ name }) => name).join(', ') || 'none';
    return { failed: true, text: `There is no tool "${called}". You have: ${names}.` };
  }

  async function store(input: ToolTurn, id: string, call: RequestedToolCall, result: CallResult): Promise<void> {
    const { runId, turn, position, messageNumber } = input;
    const { text, failed, submitted } = result;
    const name = preview(call.name, 60);
    const { resultHash } = traceOf(call, { text, failed, id });
    try {
      await retryUntilAvailable(AbortSignal.timeout(600_000), () =>
        addToOwner(database, input.owner, {
          events: [{ type: 'tool.result', call: id, tool: name, failed, preview: preview(text, 160) }],
          rows: (query) => [
            insertMessage(query, {
              runId,
              number: messageNumber,
              turn,
              role: 'tool',
              content: { text, toolCallId: call.id },
            }),
            insertToolCall(query, { runId, turn, position, name, failed, resultHash, endedAt: new Date() }),
            ...(submitted ? [keepOutput(query, runId, submitted.output)] : []),
          ],
        }),
      );
    } catch (error) {
      if (!isAlreadyThere(error)) throw error; // an attempt that was presumed dead has stored its result meanwhile; the first one stays
    }
  }

  function summarize(id: string, call: RequestedToolCall, { text, failed }: CallResult): ToolSummary {
    return {
      ...traceOf(call, { text, failed, id }),
      failed,
      preview: preview(text, 400),
      ...(endsRun(call.name) && !failed && { ends: 'FINISHED' as const }),
    };
  }
}
