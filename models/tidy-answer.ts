import type { RequestedToolCall } from '../db/transcript/message.ts';

/**
 * The calls with ids that occur once in their conversation: some servers give none, or begin anew with every answer, and then refuse the
 * next request for it.
 */
export function withOwnIds(calls: RequestedToolCall[], known: Iterable<string>, mark: string): RequestedToolCall[] {
  const taken = new Set(known);
  return calls.map((call, index) => {
    const id = call.id && !taken.has(call.id) ? call.id : `call_${mark}_${index}`;
    taken.add(id);
    return { ...call, id };
  });
}
