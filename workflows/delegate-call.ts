import { CancellationScope, isCancellation, startChild } from '@temporalio/workflow';
import type { AnswerSummary } from '../activities/call-model.ts';
import type { ToolSummary } from '../activities/run-tool.ts';
import { delegateRoleOf } from '../agents/delegate-definition.ts';
import { delegateRunId } from '../agents/delegate-run-id.ts';
import type { AgentRun } from './agent-loop.ts';
import type { delegateWorkflow } from './delegate-workflow.ts';
import { runCall } from './run-call.ts';
import { chatAttribute } from './search-attributes.ts';
import { childOptions, startWhenFree } from './start-child.ts';

/** Does a tool call of a chat: one that delegates by a child first, whose answer is then its result. */
export async function runChatCall(
  run: AgentRun,
  turn: number,
  answer: AnswerSummary,
  call: AnswerSummary['calls'][number],
): Promise<ToolSummary> {
  const role = delegateRoleOf(call.name);
  if (run.chatId !== undefined && run.role === 'chat' && role !== undefined) {
    const { chatId, runId: parentRunId } = run;
    const runId = delegateRunId(`${parentRunId}.${turn}.${call.position}`);
    const { messageNumber: answerNumber } = answer;
    try {
      const child = await startWhenFree(() =>
        startChild<typeof delegateWorkflow>('delegateWorkflow', {
          ...childOptions,
          workflowId: runId,
          args: [{ chatId, parentRunId, runId, role, answerNumber, position: call.position }],
          staticSummary: call.summary.slice(0, 60),
          typedSearchAttributes: [{ key: chatAttribute, value: chatId }],
        }),
      );
      await child.result();
    } catch (error) {
      // The call's result tells what became of a child that could not do its work.
      if (isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    }
  }
  return runCall(run, turn, answer, call);
}
