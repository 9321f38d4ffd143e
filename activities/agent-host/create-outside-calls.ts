import { Context } from '@temporalio/activity';
import { AgentError } from '../../agents/runtime/agent-error.ts';
import { checkValue } from '../../agents/runtime/tools/check-value.ts';
import type { CalledRun, OutsideCalls, OutsideRun } from '../../agents/runtime/tools/outside-calls.ts';
import { type AgentRunRow, readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { toRunRequest } from '../../db/agent-runs/to-run-request.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { Heartbeat } from '../heartbeat.ts';
import type { AgentToolCall } from './children/call-agent.ts';
import { childInput } from './children/child-input.ts';
import { childResult } from './children/child-result.ts';
import { createOpenChild, type NewChild } from './children/open-child.ts';
import type { HostDependencies } from './host-dependencies.ts';
import { createOpenCall } from './open-call.ts';
import { createPermitTool } from './permit-tool.ts';
import { createSummarize } from './summarize.ts';
import { untilFound } from './until-found.ts';

/** What calls of one attempt of a coded agent's run need from outside its process. */
export function createOutsideCalls(
  dependencies: HostDependencies,
  { run, signal, note }: { run: AgentRunRow; signal: AbortSignal; note: Heartbeat['note'] },
): OutsideCalls {
  const { database } = dependencies;
  const { id: runId } = run;
  const workflow = () => Context.current().client.workflow.getHandle(runId);
  const openChild = createOpenChild(dependencies);
  const summarize = createSummarize(dependencies);
  const permitTool = createPermitTool(dependencies);
  const openCall = createOpenCall(dependencies);
  const { key } = dependencies.agent;
  return {
    async permit({ id, tool, input }) {
      const text = JSON.stringify(input) ?? '';
      const permit = await untilFound(signal, async () => {
        const found = await permitTool(runId, key, { id, tool, input: text });
        return found.verdict === 'waits' ? undefined : found;
      });
      if (permit.verdict === 'no') throw new AgentError('CallRefused', permit.text);
    },

    async make({ id, tool, input }) {
      const value = await checkValue(tool.parameters, input, `The input of the tool "${tool.name}"`);
      if (tool.calls) return callAgent({ id, tool: { ...tool, calls: tool.calls }, value });
      const { place, endedAt } = await retryUntilAvailable(signal, () => openCall(runId, { id, tool, value }));
      if (place === 'sandbox' && !endedAt) await workflow().signal('makeCall', { call: id });
      const { result, failed } = await untilFound(signal, async () => {
        const call = await openCall(runId, { id, tool, value });
        return call.endedAt ? call : undefined;
      });
      if (failed) throw new AgentError('CallFailed', String(result));
      return result;
    },

    run: ({ input, ...run }) => runChild({ ...run, input: async () => input }),
  };

  async function callAgent({ id, tool, value }: AgentToolCall): Promise<unknown> {
    const { agent, context, output: schema } = tool.calls;
    const conversation = run.input.map(({ role, content }, number) => ({
      number,
      turn: 0,
      role,
      content: { text: content },
    }));
    const { output } = await runChild({
      ...{ id, agent: agent.key, params: value, timeoutMs: tool.timeoutMs, output: schema },
      input: () =>
        childInput(value, context, {
          conversation,
          summarize: (messages) => summarize({ runId, callId: id, turn: 0, conversation: messages, signal, note }),
        }),
    });
    return output;
  }

  /** Has the workflow of this run start another one, as its child, and waits for the end. */
  async function runChild({
    id,
    output,
    ...started
  }: Omit<OutsideRun, 'input'> & Pick<NewChild, 'input'>): Promise<CalledRun> {
    // A try that comes after a failed one starts runs of its own; what succeeded is recorded.
    const callId = run.attempts > 1 ? `${id}#${run.attempts}` : id;
    const { params = null, ...child } = started;
    const { id: childId, ...row } = await retryUntilAvailable(signal, () =>
      openChild(runId, { callId, params, ...child }),
    );
    if (!hasEnded(row.status)) {
      await Context.current()
        .client.workflow.getHandle(runId)
        .signal('startRun', toRunRequest({ id: childId, ...row }));
    }
    const ended = await untilFound(signal, async () => {
      const now = await readAgentRun(database, childId);
      return hasEnded(now.status) ? now : undefined;
    });
    return { runId: childId, output: await childResult(ended, output), artifacts: ended.artifacts ?? {} };
  }
}
