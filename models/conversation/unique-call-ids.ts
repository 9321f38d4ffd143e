import type { RequestedToolCall } from '../../domain/run/message.ts';

/**
 * Makes the ids of calls unique within their conversation: some servers give none, or start over with every answer, and then refuse the next request
 * because of it.
 */
export function withUniqueIds(
  calls: RequestedToolCall[],
  isKnown: (id: string) => boolean,
  mark: string,
): RequestedToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, index) => {
    const own = `call_${mark}_${index}`;
    let id = call.id || own;
    for (let again = 0; taken.has(id) || isKnown(id); again += 1) id = again === 0 ? own : `${own}_${again}`;
    taken.add(id);
    return { ...call, id };
  });
}
