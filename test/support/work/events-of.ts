import type { ChatStreamEvent } from '../../../client/index.ts';

/** Collects all events of an answer until it is over. */
export async function eventsOf(events: AsyncIterable<ChatStreamEvent>): Promise<ChatStreamEvent[]> {
  const all: ChatStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
