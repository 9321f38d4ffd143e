import { z } from 'zod';
import { createInMemoryStores } from '../../domain/stores/in-memory/create-in-memory-stores.ts';
import {
  type ExportedRow,
  type Owner,
  type PurgeSubject,
  type StoreName,
  storeNames,
} from '../../domain/stores/purge.ts';
import { checkStore } from '../../domain/stores/rules/check-store.ts';
import { checkInput, exportOwner, purgeSubject } from '../../domain/stores/rules/store-inputs.ts';
import type { StoreSet } from '../../domain/stores/stores.ts';
import { chooseStore, type StoreChoices } from './choose-store.ts';
import type { BesideStores, PurgeReport, Stores } from './stores.ts';

/** The order of a purge: conversations last, since their ids lead to what the other stores keep for them. */
const purgeOrder: StoreName[] = ['audit', 'knowledge', 'memory', 'preferences', 'tasks', 'conversations'];

/**
 * The stores that were chosen, completed by `others`: in this process's memory if absent. `longhaul.stores` are completed by those in Postgres and
 * LanceDB. Those check what they are given; the chosen ones need not.
 * @throws {StoreError} `StoreUnusable` if a chosen one lacks methods.
 */
export async function createStores(
  choices: StoreChoices = {},
  others: StoreSet = createInMemoryStores(),
  beside?: BesideStores,
): Promise<Stores> {
  checkInput(
    'The choice of stores',
    z.strictObject(Object.fromEntries(storeNames.map((name) => [name, z.any().optional()]))),
    choices,
  );
  const chosen = storeNames.map(async (name) => {
    const choice = choices[name];
    return [name, choice === undefined ? others[name] : checkStore(name, await chooseStore(name, choice as never))];
  });
  const stores: StoreSet = Object.fromEntries(await Promise.all(chosen));

  /** The owner with the ids of the conversations that are theirs. */
  async function withSessions<Subject extends PurgeSubject>(subject: Subject): Promise<Subject> {
    if ('before' in subject) return subject;
    const filter = 'person' in subject ? { person: subject.person } : { projectId: subject.project };
    const theirs = await stores.conversations.list(filter);
    return { ...subject, sessions: [...(subject.sessions ?? []), ...theirs.map(({ id }) => id)] };
  }

  async function purge(
    subject: PurgeSubject,
    { dryRun = false, only }: { dryRun?: boolean | undefined; only?: StoreName[] | undefined } = {},
  ): Promise<PurgeReport> {
    checkInput('purge', z.object({ subject: purgeSubject }), { subject });
    const meant = await withSessions(subject);
    // Refused before anything is removed, if something of it has not ended.
    const planned = only ? undefined : await beside?.purge(meant, { dryRun: true });
    const report: Pick<PurgeReport, 'removed'> = { removed: [] };
    for (const name of purgeOrder)
      if (!only || only.includes(name)) report.removed.push(...(await stores[name].purge(meant, { dryRun })));
    const ofOthers = dryRun || only ? planned : await beside?.purge(meant, { dryRun });
    return { removed: [...report.removed, ...(ofOthers?.removed ?? [])], left: ofOthers?.left ?? [] };
  }

  async function* exportRows(
    owner?: Owner,
    { only }: { only?: StoreName[] | undefined } = {},
  ): AsyncIterable<ExportedRow> {
    checkInput('export', z.object({ owner: exportOwner }), { owner });
    const meant = owner && (await withSessions(owner));
    for (const name of storeNames) if (!only || only.includes(name)) yield* stores[name].export(meant);
    if (beside && !only) yield* beside.export(meant);
  }

  return { ...stores, purge, export: exportRows };
}
