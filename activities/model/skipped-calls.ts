import type { NewMessage } from '../../db/transcript/transcript.ts';
import type { Message, RequestedToolCall } from '../../domain/run/message.ts';

/** Max calls of one answer that are executed; a model that makes more is confused, and the results would fill its window. */
export const maxCalls = 32;

/** The result of a call beyond those; the first one also says what to do instead. */
export function describeSkipped(position: number, callsInTurn: number): string {
  const notDone = `Not executed: only the first ${maxCalls} calls of an answer are executed.`;
  return position > maxCalls
    ? notDone
    : `${notDone} This answer had ${callsInTurn}. Read their results before you make more calls.`;
}

/** The results of an answer's calls that are not executed. There may be thousands, so workflows do not see them. */
export function resultsOfSkipped(runId: string, { number, turn, content }: Message): NewMessage[] {
  const calls = content.toolCalls ?? [];
  return calls.slice(maxCalls).map(({ id }, index) => {
    const position = maxCalls + index;
    const text = describeSkipped(position, calls.length);
    return { runId, number: number + 1 + position, turn, role: 'tool' as const, content: { text, toolCallId: id } };
  });
}

/** Without it the model would write the same again. */
const advice =
  'Your answer was cut off at the token limit in the middle of this call. Use smaller steps: for example, write a long file in several parts.';

/** What to tell the model about a call whose arguments were cut off at the token limit; that can only be an answer's last call. */
export function describeCutOff({ content }: Message, position: number): string | undefined {
  const calls = content.toolCalls ?? [];
  const call = calls[position];
  if (!content.cutOff || !call || position < calls.length - 1 || hasArguments(call)) return undefined;
  return `${call.name} was not executed. ${advice}`;
}

/** Providers give an empty object if no arguments arrived. */
function hasArguments({ arguments: text }: RequestedToolCall): boolean {
  try {
    return Object.keys(JSON.parse(text || '{}') ?? {}).length > 0;
  } catch {
    return false;
  }
}
