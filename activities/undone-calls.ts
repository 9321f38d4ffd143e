import type { Message } from '../db/transcript/message.ts';
import type { NewMessage } from '../db/transcript/transcript.ts';

/** Calls of one answer that are done; a model that asks for more has lost its thread, and their results its window. */
export const mostCalls = 32;

/** What the model is told of a call beyond those; the first tells what to do instead. */
export function tellUndone(position: number, callsInTurn: number): string {
  const told = `Not done: of one answer the first ${mostCalls} calls are done.`;
  return position > mostCalls
    ? told
    : `${told} This one had ${callsInTurn}. Look at their results before you ask for more.`;
}

/** The results of an answer's calls that are not done. There may be thousands, so no workflow hears of them. */
export function undoneResults(runId: string, { number, turn, content }: Message): NewMessage[] {
  const calls = content.toolCalls ?? [];
  return calls.slice(mostCalls).map(({ id }, index) => {
    const position = mostCalls + index;
    const text = tellUndone(position, calls.length);
    return { runId, number: number + 1 + position, turn, role: 'tool' as const, content: { text, toolCallId: id } };
  });
}
