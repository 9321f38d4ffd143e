import { inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { Owner, PurgeSubject, Removed } from '../../domain/stores/purge.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { agentRuns } from '../schema/agent-runs.ts';
import { requests } from '../schema/requests.ts';
import { events, messages, runs, summaries, toolCalls } from '../schema/runs.ts';
import { usage } from '../schema/usage.ts';

/**
 * Removes the runs of users' own agents that answered in an owner's conversations, or whose metadata names the owner as `person` or `project`, with
 * the runs that they started; or those that ended before a moment. With `dryRun`, only lists them.
 * @throws {StoreError} `RunNotEnded` before anything is removed.
 */
export async function purgeAgentRuns(
  database: Database,
  subject: PurgeSubject,
  { dryRun }: { dryRun: boolean },
): Promise<Removed[]> {
  return database.transaction(async (query) => {
    const found = await findWithStarted(query, isMeant(subject));
    const going = found.filter(({ status }) => !hasEnded(status)).map(({ id }) => id);
    if (going.length) {
      const shown = going.slice(0, 5).join(', ');
      throw new StoreError(
        'RunNotEnded',
        `${going.length} of these runs have not ended: ${shown}. Cancel them with \`longhaul runs cancel\`, then purge again. Nothing was removed.`,
      );
    }
    if (!dryRun && found.length)
      await deleteRuns(
        query,
        found.map(({ id }) => id),
      );
    return found.map(({ id, agent }) => ({ store: 'runs', kind: 'run', id, what: agent }));
  });
}

function isMeant(subject: PurgeSubject): SQL | undefined {
  return 'before' in subject ? lt(agentRuns.endedAt, subject.before) : runsOf(subject);
}

/** Condition: the run answered in a conversation of the owner, or its metadata names the owner. */
export function runsOf(subject: Owner): SQL | undefined {
  const [field, id] = 'person' in subject ? ['person', subject.person] : ['project', subject.project];
  const isNamed = sql`${agentRuns.metadata}->>${field} = ${id}`;
  return subject.sessions?.length ? or(isNamed, inArray(agentRuns.conversationId, subject.sessions)) : isNamed;
}

/** The runs, and all that they started. */
async function findWithStarted(query: Transaction, meant: SQL | undefined) {
  const all = new Map<string, Pick<typeof agentRuns.$inferSelect, 'id' | 'agent' | 'status'>>();
  const fields = { id: agentRuns.id, agent: agentRuns.agent, status: agentRuns.status };
  let next = await query.select(fields).from(agentRuns).where(meant);
  while (next.length) {
    const added = next.filter(({ id }) => !all.has(id));
    for (const run of added) all.set(run.id, run);
    const ids = added.map(({ id }) => id);
    next = ids.length ? await query.select(fields).from(agentRuns).where(inArray(agentRuns.parentId, ids)) : [];
  }
  return [...all.values()];
}

/** Postgres allows 65,535 parameters per statement. */
const runsAtOnce = 10_000;

async function deleteRuns(query: Transaction, all: string[]): Promise<void> {
  for (let from = 0; from < all.length; from += runsAtOnce) {
    const ids = all.slice(from, from + runsAtOnce);
    const own = query.select({ id: runs.id }).from(runs).where(inArray(runs.agentRunId, ids));
    await query.delete(events).where(inArray(events.agentRunId, ids));
    await query.delete(requests).where(inArray(requests.agentRunId, ids));
    for (const table of [toolCalls, usage, summaries, messages])
      await query.delete(table).where(inArray(table.runId, own));
  }
  // All at once, since they may refer to each other.
  const ids = sql`(select jsonb_array_elements_text(${JSON.stringify(all)}::jsonb))`;
  await query.delete(runs).where(inArray(runs.agentRunId, ids));
  await query.delete(agentRuns).where(inArray(agentRuns.id, ids));
}
