import { and, asc, desc, eq, gt, inArray, max, sql } from 'drizzle-orm';
import { storableText } from '../../domain/storable-text.ts';
import type { ListedMadeTool, MadeTool, MadeToolVersion } from '../../domain/tool/made-tool.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { madeTools, madeToolVersions } from '../schema/made-tools.ts';

/** The author of tools that no run made. */
export const person = 'person';

export interface NewMadeTool {
  /** Of the version; chosen by the caller, so that a retry adds nothing. */
  id: string;
  tool: MadeTool;
  /** The run that made it, or `person`. */
  author: string;
  /** Whether it replaces the tool of that name; otherwise the name must be free. */
  newVersion: boolean;
}

/**
 * Adds a made tool, or a new version of one. A person's addition enables the tool; an agent cannot enable one again.
 * @throws {DatabaseError} `MadeToolNameUnusable` if the name is taken, there is no tool to replace, or an agent would replace a disabled one.
 */
export async function addMadeTool(
  database: Database,
  { id, tool, author, newVersion }: NewMadeTool,
): Promise<MadeToolVersion> {
  return database.transaction(async (query) => {
    const { name } = tool;
    // Serializes additions of the same name.
    await query.execute(sql`select pg_advisory_xact_lock(hashtext(${`made-tool ${name}`}))`);
    const [known] = await findVersions(query, [id]);
    if (known) return known;
    await expectNameFits(query, { name, newVersion, author });
    const [last] = await query
      .select({ version: max(madeToolVersions.version) })
      .from(madeToolVersions)
      .where(eq(madeToolVersions.name, name));
    const row = await insertVersion(query, { id, tool, author, version: (last?.version ?? 0) + 1 });
    const changes = { versionId: id, changedAt: new Date(), ...(author === person && { enabled: true }) };
    await query
      .insert(madeTools)
      .values({ name, ...changes })
      .onConflictDoUpdate({ target: madeTools.name, set: changes });
    return row;
  });
}

/** Adds a tool that belongs to one agent, under a name that others do not see. */
export async function addToolOfAgent(
  query: Queryable,
  { id, tool, author }: Omit<NewMadeTool, 'newVersion'>,
): Promise<void> {
  await insertVersion(query, { id, tool, author, version: 0 });
}

async function insertVersion(
  query: Queryable,
  { id, tool, author, version }: Omit<NewMadeTool, 'newVersion'> & { version: number },
): Promise<MadeToolVersion> {
  const { name, language, parameters, description, code, tests } = tool;
  await query
    .insert(madeToolVersions)
    .values({
      id,
      name,
      version,
      language,
      parameters,
      author,
      description: storableText(description),
      code: storableText(code),
      tests: storableText(tests),
    })
    .onConflictDoNothing();
  const [row] = await findVersions(query, [id]);
  if (!row) throw new Error(`Expected the version "${id}" of a made tool, which was just added.`);
  return row;
}

/** @throws {DatabaseError} `MadeToolNameUnusable` */
export async function expectNameFits(
  query: Queryable,
  { name, newVersion, author }: { name: string; newVersion: boolean; author: string },
): Promise<void> {
  const [there] = await query.select().from(madeTools).where(eq(madeTools.name, name));
  if (there && !newVersion) {
    throw new DatabaseError(
      'MadeToolNameUnusable',
      `There is a made tool "${name}" already. Choose another name, or create it as a new version.`,
    );
  }
  if (there && !there.enabled && author !== person) {
    throw new DatabaseError(
      'MadeToolNameUnusable',
      `The person disabled the made tool "${name}". Continue without it; only the person can enable it again.`,
    );
  }
  if (!there && newVersion)
    throw new DatabaseError(
      'MadeToolNameUnusable',
      `There is no made tool "${name}", so there cannot be a new version of it.`,
    );
}

/** Those of the versions that exist. */
export async function findVersions(query: Queryable, ids: string[]): Promise<MadeToolVersion[]> {
  if (!ids.length) return [];
  return query
    .select()
    .from(madeToolVersions)
    .where(inArray(madeToolVersions.id, ids))
    .orderBy(asc(madeToolVersions.name));
}

/** Ordered by name. */
export async function listMadeTools(query: Queryable): Promise<ListedMadeTool[]> {
  const rows = await query
    .select({ tool: madeTools, version: madeToolVersions })
    .from(madeTools)
    .innerJoin(madeToolVersions, eq(madeToolVersions.id, madeTools.versionId))
    .orderBy(asc(madeTools.name));
  const used = await query
    .select({
      name: madeToolVersions.name,
      uses: sql<number>`sum(${madeToolVersions.uses})::int`,
      failures: sql<number>`sum(${madeToolVersions.failures})::int`,
    })
    .from(madeToolVersions)
    .where(gt(madeToolVersions.version, 0))
    .groupBy(madeToolVersions.name);
  const usedOf = new Map(used.map(({ name, ...counts }) => [name, counts]));
  return rows.map(({ tool, version }) => ({ ...version, ...usedOf.get(tool.name), enabled: tool.enabled }));
}

/** @throws {DatabaseError} `UnknownMadeTool` listing those that exist. */
export async function resolveMadeTool(query: Queryable, name: string): Promise<ListedMadeTool> {
  const all = await listMadeTools(query);
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const hint = all.length ? `There are: ${all.map((one) => one.name).join(', ')}.` : 'There are none yet.';
  throw new DatabaseError('UnknownMadeTool', `No made tool is called "${name}". ${hint}`);
}

/** Newest first. */
export async function readVersions(query: Queryable, name: string): Promise<MadeToolVersion[]> {
  return query
    .select()
    .from(madeToolVersions)
    .where(and(eq(madeToolVersions.name, name), gt(madeToolVersions.version, 0)))
    .orderBy(desc(madeToolVersions.version));
}

/** @throws {DatabaseError} `UnknownMadeTool` */
export async function setMadeToolEnabled(query: Queryable, name: string, enabled: boolean): Promise<void> {
  await resolveMadeTool(query, name);
  await query.update(madeTools).set({ enabled, changedAt: new Date() }).where(eq(madeTools.name, name));
}

/**
 * Removes a made tool's name; its versions stay for the transcripts that refer to them.
 * @throws {DatabaseError} `UnknownMadeTool`
 */
export async function removeMadeTool(database: Database, name: string): Promise<void> {
  await resolveMadeTool(database, name);
  await database.delete(madeTools).where(eq(madeTools.name, name));
}
