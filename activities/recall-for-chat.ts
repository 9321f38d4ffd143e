import { log } from '@temporalio/activity';
import { readRecalled } from '../db/chats/exchanges.ts';
import type { FoundMemory } from '../db/memory/search/memory-query.ts';
import { preview } from '../db/storable-text.ts';
import type { Recollection } from '../db/transcript/message.ts';
import type { Dependencies } from './dependencies.ts';
import { keepInBranch } from './in-branch.ts';
import { isNear, tellMemories } from './memory.ts';

/** Memories that a message brings to mind, and tokens that they may have together. */
const most = { memories: 6, tokens: 600 };

/**
 * What fits a person's message and was not recalled in this conversation before; undefined where nothing does. Where memories cannot be
 * searched, the message is answered without.
 */
export async function recallForChat(
  { database, memory }: Pick<Dependencies, 'database' | 'memory'>,
  { chatId, runId, text }: { chatId: string; runId: string | null; text: string },
): Promise<{ text: string; recollections: Recollection[] } | undefined> {
  try {
    const known = new Set(runId === null ? [] : await readRecalled(database, runId));
    const found = await memory.search({
      query: text,
      scope: { sessionId: chatId },
      limit: most.memories,
      tokens: most.tokens,
      diversity: true,
    });
    const own = runId === null ? found : await keepInBranch(database, runId, found);
    const fresh = own.filter((one) => isNear(one) && !known.has(one.id));
    if (!fresh.length) return undefined;
    const told = tellMemories(fresh, { ids: true });
    return {
      text: `[What Longhaul recalled for you; the person did not say it and may not see it:\n${told}]`,
      recollections: fresh.map(recollect),
    };
  } catch (error) {
    log.warn('Memories could not be searched, so a message is answered without them.', { error });
    return undefined;
  }
}

function recollect({ id, kind, text, score, why, similarity, source, createdAt }: FoundMemory): Recollection {
  return {
    ...{ id, kind, text: preview(text, 200), score, why, similarity: similarity ?? null },
    ...{ source: source.run ?? source.id ?? null, createdAt: createdAt.toISOString() },
  };
}
