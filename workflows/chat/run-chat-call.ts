import { startChild, TemporalFailure } from '@temporalio/workflow';
import type { Delegation } from '../../activities/chat/delegate.ts';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { ToolSummary } from '../../activities/tools/run-tool.ts';
import { delegateRoleOf } from '../../agents/agent-definition.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { delegateRunId } from '../../domain/run/delegation.ts';
import { runCall } from '../agent/execute-calls.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { wasCancelled } from '../failures.ts';
import { chatAttribute } from '../search-attributes.ts';
import { type ChildHandle, childOptions, forwardPause, startWhenFree } from '../start-child.ts';

/** The running children, to which a pause is forwarded. */
export type Delegates = Set<ChildHandle<void>>;

/**
 * Executes a tool call of a chat; for a delegation, a child does the work first, and its answer becomes the result. A pause is forwarded to the
 * child, which continues after the resume.
 */
export async function runChatCall(
  run: AgentRun,
  turn: number,
  answer: AnswerSummary,
  call: AnswerSummary['calls'][number],
  gate: Pick<PauseGate, 'paused' | 'step'>,
  delegates: Delegates,
): Promise<ToolSummary> {
  const role = delegateRoleOf(call.name);
  if (run.role === 'chat' && role !== undefined) {
    const { runId: parentRunId, memory } = run;
    const chatId = run.owner.id;
    const runId = delegateRunId(`${parentRunId}.${turn}.${call.position}`);
    const { messageNumber: answerNumber } = answer;
    const parts = { chatId, parentRunId, runId, role, answerNumber, position: call.position };
    try {
      const child = await gate.step(() =>
        startWhenFree(() =>
          startChild<(input: Delegation) => Promise<void>>('delegateWorkflow', {
            ...childOptions,
            workflowId: runId,
            args: [{ ...parts, ...(memory === false && { memory }) }],
            staticSummary: call.summary.slice(0, 60),
            typedSearchAttributes: [{ key: chatAttribute, value: chatId }],
          }),
        ),
      );
      delegates.add(child);
      if (gate.paused) forwardPause(child, {}); // paused while the child was starting
      await child.result().finally(() => delegates.delete(child));
    } catch (error) {
      // The call's result says what became of a child that could not do its work.
      if (wasCancelled(error) || !(error instanceof TemporalFailure)) throw error;
    }
  }
  return gate.step(() => runCall(run, turn, answer, call));
}
