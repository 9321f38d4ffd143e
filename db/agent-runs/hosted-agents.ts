import { and, asc, desc, eq, gt, or, sql } from 'drizzle-orm';
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

/** Milliseconds after its last sign, of which there is one every 10 s, that a host is taken for gone. */
export const hostTimeout = 30_000;

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

/** Says that a host has left; another one of the same version says again that it is there. */
export async function markLeft(query: Queryable, agents: Array<Pick<HostedAgent, 'key' | 'version'>>): Promise<void> {
  const same = agents.map(({ key, version }) => and(eq(hostedAgents.key, key), eq(hostedAgents.version, version)));
  if (same.length === 0) return;
  await query
    .update(hostedAgents)
    .set({ seenAt: new Date(Date.now() - hostTimeout) })
    .where(or(...same));
}

/** The version of an agent that new runs take: the latest that a process hosts, else the latest; undefined if none was ever hosted. */
export async function findHostedAgent(query: Queryable, key: string): Promise<HostedAgentRow | undefined> {
  const [row] = await query
    .select()
    .from(hostedAgents)
    .where(eq(hostedAgents.key, key))
    .orderBy(desc(gt(hostedAgents.seenAt, new Date(Date.now() - hostTimeout))), desc(hostedAgents.hostedAt))
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
