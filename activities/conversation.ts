import { eq } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { addToProject } from '../db/project-transaction.ts';
import { runs } from '../db/schema.ts';
import type { Message } from '../db/transcript/message.ts';
import { type Conversation, readLatestUsage } from '../db/transcript/transcript.ts';
import { estimateTokens, lastOldMessage, shorteningShare, shortenOutput } from './fit-context.ts';

/** Below this share of the window the estimate alone is good enough, and the provider's count is not looked up. */
const carefulShare = 0.25;
/** Turns between two shortenings, each of which costs the providers' caches what they know; fewer only where the window is nearly full. */
const turnsBetween = 4;
const nearlyFullShare = 0.85;

/**
 * The messages as the model is to be asked with. Where they take much of its window, older tool output is shortened from now on; what was
 * shortened stays so, and all of it stays in the transcript.
 */
export async function fitConversation(
  database: Database,
  run: { projectId: string; runId: string },
  { messages, shortenedUpTo }: Conversation,
  window: number,
): Promise<Message[]> {
  const shown = shortenOutput(messages, shortenedUpTo);
  if (estimateTokens(shown) < carefulShare * window) return shown;
  const tokens = estimateTokens(shown, await readLatestUsage(database, run.runId));
  if (tokens < shorteningShare * window) return shown;
  const next = lastOldMessage(messages);
  const turnsSince = turnOf(messages, next) - turnOf(messages, shortenedUpTo);
  if (turnsSince < (tokens < nearlyFullShare * window ? turnsBetween : 1)) return shown;
  return shortenFurther(database, run, messages, next, `${tokens} of ${window} tokens were in use`);
}

/** The latest results shortened too, for a conversation that did not fit after all; undefined where that leaves nothing out. */
export async function shortenAll(
  database: Database,
  run: { projectId: string; runId: string },
  { messages, shortenedUpTo }: Conversation,
): Promise<Message[] | undefined> {
  const next = lastOldMessage(messages, 0);
  const [before, after] = [shortenOutput(messages, shortenedUpTo), shortenOutput(messages, next)].map((shown) =>
    estimateTokens(shown),
  );
  if (next <= shortenedUpTo || before === after) return undefined;
  return shortenFurther(database, run, messages, next, 'the model found it too long');
}

async function shortenFurther(
  database: Database,
  { projectId, runId }: { projectId: string; runId: string },
  messages: Message[],
  upTo: number,
  why: string,
): Promise<Message[]> {
  await addToProject(database, projectId, ({ query, tell }) =>
    Promise.all([
      tell({ type: 'context-shortened', run: runId, upToMessage: upTo, why }),
      query.update(runs).set({ shortenedUpTo: upTo }).where(eq(runs.id, runId)),
    ]),
  );
  return shortenOutput(messages, upTo);
}

function turnOf(messages: Message[], number: number): number {
  return messages.find((message) => message.number === number)?.turn ?? 0;
}
