import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { ToolSummary } from '../../activities/tools/run-tool.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { tools } from '../activities.ts';

/** Executes one tool call of an answer; its result follows the answer, in the order of the answer's calls. */
export function runCall(
  run: AgentRun,
  turn: number,
  { messageNumber, calls, remark }: AnswerSummary,
  { position, summary }: AnswerSummary['calls'][number],
): Promise<ToolSummary> {
  const isLast = position === calls.length - 1;
  const input = {
    ...run,
    turn,
    position,
    messageNumber: messageNumber + 1 + position,
    ...(remark && isLast && { remark }),
  };
  return tools.runTool.executeWithOptions({ summary }, [input]);
}
