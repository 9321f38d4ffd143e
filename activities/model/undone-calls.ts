import type { NewMessage } from '../../db/transcript/transcript.ts';
import type { Message } from '../../domain/run/message.ts';

/** How many calls of one answer are executed; a model that asks for more has lost the thread, and the results would cost it its window. */
export const mostCalls = 32;

/** The result of a call beyond those; the first one also says what to do instead. */
export function tellUndone(position: number, callsInTurn: number): string {
  const told = `Not done: of one answer the first ${mostCalls} calls are done.`;
  return position > mostCalls
    ? told
    : `${told} This one had ${callsInTurn}. Look at their results before you ask for more.`;
}

/** The results of an answer's calls that are not executed. There may be thousands, so workflows are not told of them. */
export function undoneResults(runId: string, { number, turn, content }: Message): NewMessage[] {
  const calls = content.toolCalls ?? [];
  return calls.slice(mostCalls).map(({ id }, index) => {
    const position = mostCalls + index;
    const text = tellUndone(position, calls.length);
    return { runId, number: number + 1 + position, turn, role: 'tool' as const, content: { text, toolCallId: id } };
  });
}
