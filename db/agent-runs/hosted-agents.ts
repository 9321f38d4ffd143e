import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { hostedAgents } from '../schema/agent-runs.ts';

export type HostedAgentRow = typeof hostedAgents.$inferSelect;
export type HostedAgent = Omit<HostedAgentRow, 'hostedAt' | 'seenAt'>;

/** Says that a process hosts these agents from now on; runs that start afterwards take these versions. */
export async function hostAgents(query: Queryable, agents: HostedAgent[]): Promise<void> {
  if (!agents.length) return;
  const now = new Date();
  await query
    .insert(hostedAgents)
    .values(agents.map((agent) => ({ ...agent, hostedAt: now, seenAt: now })))
    .onConflictDoUpdate({
      target: [hostedAgents.key, hostedAgents.version],
      set: {
        declaration: sql`excluded.declaration`,
        queue: sql`excluded.queue`,
        kind: sql`excluded.kind`,
        hostedAt: now,
        seenAt: now,
      },
    });
}

/** Says that a host of an agent is still there. */
export async function markSeen(
  query: Queryable,
  { key, version }: Pick<HostedAgent, 'key' | 'version'>,
): Promise<void> {
  await query
    .update(hostedAgents)
    .set({ seenAt: new Date() })
    .where(and(eq(hostedAgents.key, key), eq(hostedAgents.version, version)));
}

/** The version of an agent that new runs take; undefined if none was ever hosted. */
export async function findHostedAgent(query: Queryable, key: string): Promise<HostedAgentRow | undefined> {
  const [row] = await query
    .select()
    .from(hostedAgents)
    .where(eq(hostedAgents.key, key))
    .orderBy(desc(hostedAgents.hostedAt))
    .limit(1);
  return row;
}

/** One version of an agent. */
export async function findVersion(
  query: Queryable,
  { key, version }: Pick<HostedAgent, 'key' | 'version'>,
): Promise<HostedAgentRow | undefined> {
  const [row] = await query
    .select()
    .from(hostedAgents)
    .where(and(eq(hostedAgents.key, key), eq(hostedAgents.version, version)));
  return row;
}

/** The keys of all agents that are or were hosted. */
export async function listHostedKeys(query: Queryable): Promise<string[]> {
  const { key: column } = hostedAgents;
  const rows = await query.select({ key: column }).from(hostedAgents).groupBy(column).orderBy(asc(column));
  return rows.map(({ key }) => key);
}
