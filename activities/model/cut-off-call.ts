import type { Message, RequestedToolCall } from '../../domain/run/message.ts';

/** Without it the model would write the same again. */
const advice =
  'Your answer was cut off at its limit of tokens, in the middle of this call. Do it in smaller steps: write a long file, for one, in several parts.';

/** What to tell the model about a call whose arguments are incomplete because its answer was cut off in them; only an answer's last call can be. */
export function tellCutOff({ content }: Message, position: number): string | undefined {
  const calls = content.toolCalls ?? [];
  const call = calls[position];
  if (!content.cutOff || !call || position < calls.length - 1 || hasArguments(call)) return undefined;
  return `${call.name} was not done. ${advice}`;
}

/** Providers give an empty object if no arguments arrived. */
function hasArguments({ arguments: text }: RequestedToolCall): boolean {
  try {
    return Object.keys(JSON.parse(text || '{}') ?? {}).length > 0;
  } catch {
    return false;
  }
}
