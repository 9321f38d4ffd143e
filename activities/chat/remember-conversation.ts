import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/connection/database.ts';
import { type Conversation, readConversation } from '../../db/transcript/read-conversation.ts';
import type { Message } from '../../domain/run/message.ts';

/** Maximum number of runs whose messages a worker caches, at some megabytes each if they are long; the least recently used is evicted first. */
const mostRuns = 12;

/**
 * Reads conversations as `readConversation` does, but asks Postgres only for messages that this worker has not seen, so that turns do not get slower
 * as their run gets longer. The cache is safe because messages are only ever added; its last message is read again each time, and if it differs, so
 * are all.
 */
export function createConversationReader(database: Database): (runId: string) => Promise<Conversation> {
  const remembered = new Map<string, Message[]>();

  return async function read(runId) {
    const known = remembered.get(runId) ?? [];
    const last = known.at(-1);
    const latest = await readConversation(database, runId, last?.number);
    const isSame = last === undefined || isDeepStrictEqual(latest.messages[0], last);
    const conversation = isSame
      ? { ...latest, messages: [...known.slice(0, -1).filter(isShownBeside(latest)), ...latest.messages] }
      : await readConversation(database, runId);
    remember(runId, conversation);
    return conversation;
  };

  function remember(runId: string, conversation: Conversation): void {
    remembered.delete(runId);
    remembered.set(runId, upToGap(conversation));
    const [oldest] = remembered.keys();
    if (remembered.size > mostRuns && oldest !== undefined) remembered.delete(oldest);
  }
}

/** True for messages that are not replaced by a summary. */
function isShownBeside({ summary }: Conversation): (message: Message) => boolean {
  return ({ turn, number }) => turn === 0 || summary === null || number > summary.upToMessage;
}

/** The messages before the first gap in the numbers, which may still be filled (by a tool at work); numbers replaced by a summary are no gap. */
function upToGap({ messages, summary }: Conversation): Message[] {
  const gap = messages.findIndex(({ number }, index) => {
    const before = messages[index - 1]?.number ?? -1;
    return number !== before + 1 && number !== (summary?.upToMessage ?? -1) + 1;
  });
  return gap === -1 ? messages : messages.slice(0, gap);
}
