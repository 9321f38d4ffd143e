import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { ToolSummary } from '../../activities/tools/run-tool.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { tools } from '../activities.ts';

export type Call = AnswerSummary['calls'][number];

/** Calls that ran side by side, with their results. */
export interface ExecutedBatch {
  calls: Call[];
  results: ToolSummary[];
}

/**
 * Executes the calls of an answer in order, read-only ones in parallel as far as they fit, until `isEnough`; the others are not executed.
 */
export async function executeCalls(
  calls: Call[],
  execute: (call: Call) => Promise<ToolSummary>,
  { isEnough = () => false, fits }: { isEnough?: () => boolean; fits?: (batch: Call[], call: Call) => boolean } = {},
): Promise<ExecutedBatch[]> {
  const executed: ExecutedBatch[] = [];
  for (const batch of inBatches(calls, fits)) {
    executed.push({ calls: batch, results: await Promise.all(batch.map(execute)) });
    if (isEnough()) break;
  }
  return executed;
}

/** Groups consecutive read-only calls that fit together; every other call stands alone. The order is kept. */
export function inBatches<Call extends { readOnly: boolean }>(
  calls: Call[],
  fits: (batch: Call[], call: Call) => boolean = () => true,
): Call[][] {
  const batches: Call[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.readOnly && last?.every((other) => other.readOnly) && fits(last, call)) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

/** Executes one tool call of an answer; its result follows the answer, in the order of the answer's calls. */
export function runCall(
  run: AgentRun,
  turn: number,
  { messageNumber, calls, remark }: AnswerSummary,
  { position, summary }: Call,
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
