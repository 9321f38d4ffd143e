import { setTimeout as sleep } from 'node:timers/promises';
import { fence } from '../../agents/fence.ts';
import { readRecalled } from '../../db/chats/find-exchange.ts';
import { fitTokens } from '../../db/memory/search/fit-tokens.ts';
import type { FoundMemory } from '../../db/memory/search/memory-query.ts';
import type { Recollection } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { formatMemories, isNear, readerInBranch, searchUnreverted } from '../memory/memory.ts';

/** Limits on what is recalled for one message: number of memories, and tokens of all of them together. */
const most = { memories: 6, tokens: 600 };

/** Max memories searched for. More than are recalled, since the conversation may already have some; still more would take too long. */
const maxSearched = 40;

/** Milliseconds that a person waits for the memories recalled for a message. */
const timeoutMs = 3_000;

/** What is appended to a person's message, and the memories in it. */
export interface Recalled {
  text: string;
  recollections: Recollection[];
  /** Why nothing was recalled, if memories could not be searched. */
  failure?: string;
}

/**
 * Recalls what fits a person's message and was not yet recalled in this conversation; undefined if nothing does. If the search fails or takes too
 * long, the message is answered without memories, and model and person are told.
 */
export async function recallForChat(
  dependencies: Pick<Dependencies, 'database' | 'memory'>,
  message: { chatId: string; runId: string | null; text: string },
): Promise<Recalled | undefined> {
  const over = new AbortController();
  try {
    const recalled = recall(dependencies, message);
    const late = sleep(timeoutMs, 'late' as const, { signal: over.signal });
    late.catch(() => {}); // nobody waits any more
    const first = await Promise.race([recalled, late]);
    if (first !== 'late') return first;
    recalled.catch(() => {}); // it may continue for a while; its outcome is ignored
    return without(`Memory search took longer than ${timeoutMs / 1_000} s.`);
  } catch (error) {
    return without(preview(error instanceof Error ? error.message : String(error), 200));
  } finally {
    over.abort();
  }
}

function without(failure: string): Recalled {
  return {
    text: '[Longhaul could not search its memories for this message. Try search_memory.]',
    recollections: [],
    failure,
  };
}

async function recall(
  { database, memory }: Pick<Dependencies, 'database' | 'memory'>,
  { chatId, runId, text }: { chatId: string; runId: string | null; text: string },
): Promise<Recalled | undefined> {
  const [recalled, scope] =
    runId === null
      ? [[], { sessionId: chatId }]
      : await Promise.all([readRecalled(database, runId), readerInBranch(database, chatId, runId)]);
  const known = new Set(recalled);
  const limit = Math.min(most.memories + known.size, maxSearched);
  const found = await searchUnreverted({ database, memory }, { query: text, scope, limit, diversity: true });
  const unknown = found.filter((one) => isNear(one) && !known.has(one.id));
  const fresh = fitTokens(unknown.slice(0, most.memories), most.tokens);
  if (!fresh.length) return undefined;
  const formatted = formatMemories(fresh, { ids: true });
  return {
    text: `[What Longhaul recalled for you; the person did not say it and may not see it:]\n${fence('memories', formatted)}`,
    recollections: fresh.map(recollect),
  };
}

function recollect({ id, kind, text, score, why, similarity, source, createdAt }: FoundMemory): Recollection {
  return {
    ...{ id, kind, text: preview(text, 200), score, why, similarity: similarity ?? null },
    ...{ source: source.run ?? source.id ?? null, createdAt: createdAt.toISOString() },
  };
}
