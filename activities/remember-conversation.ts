import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../db/database.ts';
import type { Message } from '../db/transcript/message.ts';
import { type Conversation, readConversation } from '../db/transcript/read-conversation.ts';

/** Runs whose messages a worker keeps, at some megabytes each where they are long; the one not asked for the longest goes first. */
const mostRuns = 12;

/**
 * Reads conversations as `readConversation` does, but asks Postgres only for messages that this worker has not seen, so that a turn does
 * not take longer the longer its run has been going on. What it has seen is believed because messages are only ever added; the last of
 * them is read again each time, and where it is another one all are.
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

/** True for messages that no summary replaces. */
function isShownBeside({ summary }: Conversation): (message: Message) => boolean {
  return ({ turn, number }) => turn === 0 || summary === null || number > summary.upToMessage;
}

/** The messages before the first missing number, which may still come (of a tool at work); numbers that a summary replaces are not missing. */
function upToGap({ messages, summary }: Conversation): Message[] {
  const gap = messages.findIndex(({ number }, index) => {
    const before = messages[index - 1]?.number ?? -1;
    return number !== before + 1 && number !== (summary?.upToMessage ?? -1) + 1;
  });
  return gap === -1 ? messages : messages.slice(0, gap);
}
