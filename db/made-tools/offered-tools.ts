import { asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { ChatAgent } from '../../domain/project/settings.ts';
import { storableText } from '../../domain/storable-text.ts';
import type { MadeToolVersion } from '../../domain/tool/made-tool.ts';
import type { Queryable } from '../connection/database.ts';
import { madeTools, madeToolVersions } from '../schema/made-tools.ts';
import { runs } from '../schema/runs.ts';

/** Providers accept a little over a hundred tools, but a model chooses badly long before that. */
const maxOffered = 64;

/** What a run is told about a made tool, without its code and tests. */
export interface OfferedTool {
  /** Of its version. */
  id: string;
  name: string;
  description: string;
}

const offeredColumns = {
  id: madeToolVersions.id,
  name: madeToolVersions.name,
  description: madeToolVersions.description,
};

/** The enabled made tools to offer a run; if there are too many, those that were used or made last. */
export async function readEnabledTools(query: Queryable): Promise<OfferedTool[]> {
  const rows = await query
    .select(offeredColumns)
    .from(madeTools)
    .innerJoin(madeToolVersions, eq(madeToolVersions.id, madeTools.versionId))
    .where(eq(madeTools.enabled, true))
    .orderBy(desc(sql`greatest(${madeTools.changedAt}, ${madeToolVersions.lastUsedAt})`), asc(madeTools.name))
    .limit(maxOffered);
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * What an agent has when an answer begins: made tools, and its list of tools if it has one. Tools of its own folder replace others of the same name
 * and are always on the list, since it was given them on purpose.
 */
export async function readGiven(
  query: Queryable,
  agent: Pick<ChatAgent, 'madeTools' | 'tools'> | null,
): Promise<{ made: OfferedTool[]; tools?: string[] }> {
  const ids = agent?.madeTools ?? [];
  const own = ids.length
    ? await query
        .select(offeredColumns)
        .from(madeToolVersions)
        .where(inArray(madeToolVersions.id, ids))
        .orderBy(asc(madeToolVersions.name))
    : [];
  const names = own.map(({ name }) => name);
  const others = (await readEnabledTools(query)).filter(({ name }) => !names.includes(name));
  return { made: [...own, ...others], ...(agent?.tools && { tools: [...agent.tools, ...names] }) };
}

/** The statement that offers a run a version that it made itself, in place of another one of that name. */
export function offerTool(query: Queryable, runId: string, { id, name }: MadeToolVersion) {
  const others = sql`(
    select coalesce(jsonb_agg(offered.id order by offered.position), '[]'::jsonb)
    from jsonb_array_elements_text(${runs.madeTools}) with ordinality as offered (id, position)
    where not exists (select from ${madeToolVersions} where ${madeToolVersions.id} = offered.id and ${madeToolVersions.name} = ${name})
  )`;
  return query
    .update(runs)
    .set({ madeTools: sql`${others} || jsonb_build_array(${id}::text)` })
    .where(eq(runs.id, runId));
}

/** False if the version's tool was disabled or removed since it was offered; tools of an agent's folder cannot be disabled. */
export async function isStillAllowed(query: Queryable, { name, version }: MadeToolVersion): Promise<boolean> {
  if (version === 0) return true;
  const [tool] = await query.select().from(madeTools).where(eq(madeTools.name, name));
  return tool?.enabled ?? false;
}

/** The statement that counts a call. A failure without an `error` keeps the previous error text. */
export function noteUse(
  query: Queryable,
  id: string,
  { failed, error }: { failed: boolean; error?: string | undefined },
) {
  const failure = failed && {
    failures: sql`${madeToolVersions.failures} + 1`,
    ...(error !== undefined && { lastError: storableText(error).slice(0, 1000) }),
  };
  return query
    .update(madeToolVersions)
    .set({ uses: sql`${madeToolVersions.uses} + 1`, lastUsedAt: new Date(), ...failure })
    .where(eq(madeToolVersions.id, id));
}
