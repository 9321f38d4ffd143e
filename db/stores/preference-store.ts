import { and, eq } from 'drizzle-orm';
import type { Json } from '../../domain/stores/json.ts';
import {
  ownerKey,
  ownerOf,
  ownersOf,
  type PreferenceOwner,
  type PreferenceStore,
  withoutSessions,
} from '../../domain/stores/preferences.ts';
import type { Database } from '../connection/database.ts';
import { preferences } from '../schema/stores.ts';
import { createEntries, isOwnedBy } from './entries.ts';

/** Preferences, in the table `preferences`. */
export function createPreferenceStore(database: Database): PreferenceStore {
  const entries = createEntries(database, preferences);
  const all = async (owner: PreferenceOwner): Promise<Record<string, Json>> => {
    const found = await entries.list(ownerKey(owner), { limit: Number.MAX_SAFE_INTEGER });
    return Object.fromEntries(found.map(({ key, value }) => [key, value]));
  };
  return {
    async get(owner, key) {
      return (await entries.get(ownerKey(owner), key))?.value;
    },
    async set(owner, key, value) {
      await entries.set(ownerKey(owner), key, value);
    },
    async delete(owner, key) {
      const which = and(eq(preferences.owner, ownerKey(owner)), eq(preferences.key, key));
      return (await entries.take(which)).length > 0;
    },
    all,
    async resolve(of) {
      const each = await Promise.all(ownersOf(of).map(all));
      return Object.fromEntries(each.flatMap(Object.entries));
    },
    async purge(subject, options) {
      if ('before' in subject) return []; // a preference holds until it is changed
      const taken = await entries.take(isOwnedBy(preferences, [ownerKey(withoutSessions(subject))]), options);
      return taken.map(({ owner, key }) => ({
        store: 'preferences',
        kind: 'preference',
        id: `${owner}/${key}`,
        what: key,
      }));
    },
    async *export(of) {
      for await (const { owner, ...entry } of entries.export(of && [ownerKey(withoutSessions(of))]))
        yield { store: 'preferences', kind: 'preference', row: { owner: ownerOf(owner), ...entry } };
    },
  };
}
