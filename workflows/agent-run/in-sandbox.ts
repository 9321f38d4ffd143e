import { TemporalFailure } from '@temporalio/workflow';
import type { CallsOfProgram } from '../../activities/agent-run/run-program.ts';
import {
  type AgentRunProgress,
  type AgentRunRequest,
  findReachedRunLimit,
} from '../../domain/agent-run/run-request.ts';
import { database, tools } from '../activities.ts';
import { inBatches } from '../agent/execute-calls.ts';
import { explain, wasCancelled } from '../failures.ts';
import { type AnswerPlace, type CallParts, untilMade } from './execute-agent-call.ts';
import { hostActivities } from './host-activities.ts';

type Parts = Omit<CallParts, 'inSandbox'> & Pick<AgentRunRequest, 'runId' | 'limits'> & { progress: AgentRunProgress };

/** Makes calls in the sandbox of a run; for a program, it makes the program's own calls until the program has ended. */
export function createInSandbox(parts: Parts): CallParts['inSandbox'] {
  const { runId, limits, progress, gate } = parts;
  const { spent } = progress.loop;

  async function inSandbox(call: string, place?: AnswerPlace): Promise<void> {
    progress.sandbox = true;
    try {
      for (;;) {
        const reached = place && findReachedRunLimit({ ...spent, modelCalls: 0, tokens: 0 }, limits);
        const input = { runId, call, ...(reached !== undefined && { refused: reached }) };
        const { calls = [] } = await gate.step(() =>
          tools.runSandboxCall.executeWithOptions({ summary: call }, [input]),
        );
        if (!calls.length || !place) return;
        const allowed = calls.slice(0, Math.max(0, limits.toolCalls - spent.toolCalls));
        spent.toolCalls += calls.length; // those that are left over end the program
        for (const batch of inBatches(allowed)) await Promise.all(batch.map((one) => callOfProgram(one, place)));
      }
    } catch (error) {
      if (wasCancelled(error) || !(error instanceof TemporalFailure)) throw error;
      await database.failOutsideCall({ runId, call, reason: explain(error) }); // who made the call is told
    }
  }

  async function callOfProgram({ id, summary }: CallsOfProgram['calls'][number], place: AnswerPlace): Promise<void> {
    const { runProgramCall } = hostActivities(parts.queue);
    const input = { runId, call: id, ...place };
    await untilMade({ ...parts, inSandbox }, place, () => runProgramCall.executeWithOptions({ summary }, [input]));
  }

  return inSandbox;
}
