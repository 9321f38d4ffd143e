import { setTimeout as sleep } from 'node:timers/promises';
import { Context, log } from '@temporalio/activity';
import type { Dependencies } from '../dependencies.ts';
import { recallFor, tellMemories } from '../memory.ts';

const recalledMemories = 6;
/** About a quarter of a minute, or two minutes where the store hangs; the agent can search by itself later. */
const mostAttempts = 8;
/** Milliseconds that one attempt waits, within the 15 seconds of `startRun`. */
const usualPatience = 8_000;

const none = 'None that fits.';
const unread = 'Longhaul could not read its memories when this run began; search_memory may be able to.';

/** What a session is told from the memories. A store that stays away does not keep it from beginning: it is told that instead. */
export async function recallForSession(
  dependencies: Pick<Dependencies, 'database' | 'memory'>,
  { projectId, runId, text }: { projectId: string; runId: string; text: string },
  patience = usualPatience,
): Promise<{ decisions: string; foreign_lessons: string }> {
  const over = new AbortController();
  try {
    const recalled = recallFor(dependencies, projectId, text, recalledMemories);
    recalled.catch(() => {}); // it may go on for a while, and nobody looks at it
    const { own, foreign } = await Promise.race([recalled, late(patience, over.signal)]);
    return { decisions: tellMemories(own) || none, foreign_lessons: tellMemories(foreign) || none };
  } catch (error) {
    if (Context.current().info.attempt < mostAttempts) throw error;
    log.warn('Memories could not be read, so a run begins without them.', { run: runId, error });
    return { decisions: unread, foreign_lessons: unread };
  } finally {
    over.abort();
  }
}

async function late(patience: number, signal: AbortSignal): Promise<never> {
  await sleep(patience, undefined, { signal }).catch(() => {}); // what is recalled is there
  throw new Error(`The memories were not searched within ${patience / 1_000} seconds.`);
}
