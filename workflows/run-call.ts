import type { AnswerSummary } from '../activities/call-model.ts';
import type { ToolSummary } from '../activities/run-tool.ts';
import { tools } from './activities.ts';
import type { AgentRun } from './agent-loop.ts';

/** Does one tool call of an answer; its result stands behind the answer, in the order of its calls. */
export function runCall(
  run: AgentRun,
  turn: number,
  { messageNumber }: AnswerSummary,
  { position, summary }: AnswerSummary['calls'][number],
): Promise<ToolSummary> {
  const input = { ...run, turn, position, messageNumber: messageNumber + 1 + position };
  return tools.runTool.executeWithOptions({ summary }, [input]);
}
