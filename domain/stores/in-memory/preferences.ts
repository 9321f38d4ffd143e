import type { Json } from '../json.ts';
import {
  ownerKey,
  ownerOf,
  ownersOf,
  type PreferenceOwner,
  type PreferenceStore,
  withoutSessions,
} from '../preferences.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import { EntryMap } from './entry-map.ts';

/** Keeps preferences as long as the process lives. */
export class InMemoryPreferenceStore implements PreferenceStore {
  readonly #entries = new EntryMap();

  async get(owner: PreferenceOwner, key: string): Promise<Json | undefined> {
    return this.#entries.get(ownerKey(owner), key)?.value;
  }

  async set(owner: PreferenceOwner, key: string, value: Json): Promise<void> {
    this.#entries.set(ownerKey(owner), key, value);
  }

  async delete(owner: PreferenceOwner, key: string): Promise<boolean> {
    return this.#entries.delete(ownerKey(owner), key);
  }

  async all(owner: PreferenceOwner): Promise<Record<string, Json>> {
    const entries = this.#entries.list(ownerKey(owner), { limit: Number.POSITIVE_INFINITY });
    return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  }

  async resolve(of: { person?: string | undefined; project?: string | undefined }): Promise<Record<string, Json>> {
    const each = await Promise.all(ownersOf(of).map((owner) => this.all(owner)));
    return Object.fromEntries(each.flatMap(Object.entries));
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    if ('before' in subject) return []; // a preference holds until it is changed
    const owner = ownerKey(withoutSessions(subject));
    return this.#entries.list(owner, { limit: Number.POSITIVE_INFINITY }).map(({ key }) => {
      if (!dryRun) this.#entries.delete(owner, key);
      return { store: 'preferences', kind: 'preference', id: `${owner}/${key}`, what: key };
    });
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    const only = owner && ownerKey(withoutSessions(owner));
    for (const [key, entries] of this.#entries.all()) {
      if (only !== undefined && key !== only) continue;
      for (const entry of entries)
        yield { store: 'preferences', kind: 'preference', row: { owner: ownerOf(key), ...entry } };
    }
  }
}
