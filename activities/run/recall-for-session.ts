import { setTimeout as sleep } from 'node:timers/promises';
import { Context, log } from '@temporalio/activity';
import { fence } from '../../agents/fence.ts';
import type { Dependencies } from '../dependencies.ts';
import { formatMemories, recallFor } from '../memory/memory.ts';

const recalledMemories = 6;
/** About 15 seconds in all, or two minutes if the store hangs; the agent can search later by itself. */
const maxAttempts = 8;
/** Milliseconds per attempt; `startRun` has 15 seconds. */
const defaultTimeoutMs = 8_000;

const unread = 'Longhaul could not read its memories when this run began. Try search_memory.';

/** The memories that a session's prompt shows. If the store stays unavailable, the prompt says so instead, and the session begins. */
export async function recallForSession(
  dependencies: Pick<Dependencies, 'database' | 'memory'>,
  { projectId, runId, text }: { projectId: string; runId: string; text: string },
  timeoutMs = defaultTimeoutMs,
): Promise<{ decisions: string; foreign_lessons: string }> {
  const over = new AbortController();
  try {
    const recalled = recallFor(dependencies, projectId, text, recalledMemories);
    recalled.catch(() => {}); // it may still fail after the time is over
    const { own, foreign } = await Promise.race([recalled, late(timeoutMs, over.signal)]);
    return {
      decisions: fence('decisions and memories of this project', formatMemories(own)),
      foreign_lessons: fence('memories of elsewhere', formatMemories(foreign)),
    };
  } catch (error) {
    if (Context.current().info.attempt < maxAttempts) throw error;
    log.warn('Memory search failed; the run begins without memories.', { run: runId, error });
    return { decisions: unread, foreign_lessons: unread };
  } finally {
    over.abort();
  }
}

async function late(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await sleep(timeoutMs, undefined, { signal }).catch(() => {}); // aborted: the race is decided
  throw new Error(`Memory search took longer than ${timeoutMs / 1_000} s.`);
}
