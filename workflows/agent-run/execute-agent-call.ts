import type { ToolSummary, ToolTurn } from '../../activities/tools/run-tool.ts';
import type { ToolWait } from '../../domain/agent-run/tool-wait.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { hostActivities } from './host-activities.ts';
import { runChild } from './run-child.ts';
import type { RunNews } from './run-news.ts';

/** What executing a run's calls needs. */
export interface CallParts {
  queue: string;
  gate: PauseGate;
  news: RunNews;
  /** Makes a call in the sandbox of the run. */
  inSandbox(call: string, place?: AnswerPlace): Promise<void>;
}

/** The answer that asks for a call. */
export interface AnswerPlace {
  turn: number;
  answerNumber: number;
}

/** Executes a call of a declared agent's tool. */
export function executeAgentCall(parts: CallParts, input: ToolTurn, summary: string): Promise<ToolSummary> {
  const { runAgentTool } = hostActivities(parts.queue);
  const { turn, messageNumber, position } = input;
  const place = { turn, answerNumber: messageNumber - 1 - position };
  return untilMade(parts, place, () => runAgentTool.executeWithOptions({ summary }, [input]));
}

/** Makes a call; where it has to wait, it waits here, for days if necessary, and then makes the call again. */
export async function untilMade<Made extends object>(
  { gate, news, inSandbox }: CallParts,
  place: AnswerPlace,
  make: () => Promise<Made | ToolWait>,
): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    const seen = news.count;
    const made = await gate.step(make);
    if (!('waits' in made)) return made;
    if (made.waits === 'run') await runChild(made.request, { gate, tries });
    else if (made.waits === 'outside' && made.place === 'sandbox') await inSandbox(made.call, place);
    else await news.after(seen, made.waits === 'answer' ? made.until : Date.now() + outsidePause(tries));
  }
}

/** Whoever makes a call outside wakes the run at its end, unless it dies before it can, so the run also looks by itself: after 10 s, then ever more rarely. */
function outsidePause(tries: number): number {
  return Math.min(3_600_000, 10_000 * 2 ** (tries - 1));
}
