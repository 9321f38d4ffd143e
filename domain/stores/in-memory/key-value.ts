import type { Json } from '../json.ts';
import type { Entry, EntryPage, KeyValueStore } from '../key-value.ts';
import type { ExportedRow, Owner, PurgeSubject, Removed } from '../purge.ts';
import { type Scope, scopeKey, scopeOf, scopesOf } from '../scope.ts';
import { EntryMap } from './entry-map.ts';

/** Keeps entries as long as the process lives. */
export class InMemoryKeyValueStore implements KeyValueStore {
  readonly #entries = new EntryMap();

  async get(scope: Scope, key: string): Promise<Entry | undefined> {
    return this.#entries.get(scopeKey(scope), key);
  }

  async set(scope: Scope, key: string, value: Json): Promise<Entry> {
    return this.#entries.set(scopeKey(scope), key, value);
  }

  async compareAndSet(scope: Scope, key: string, expected: string | null, value: Json): Promise<Entry | undefined> {
    const found = this.#entries.get(scopeKey(scope), key);
    return (found?.version ?? null) === expected ? this.#entries.set(scopeKey(scope), key, value) : undefined;
  }

  async delete(scope: Scope, key: string): Promise<boolean> {
    return this.#entries.delete(scopeKey(scope), key);
  }

  async list(scope: Scope, page?: EntryPage): Promise<Entry[]> {
    return this.#entries.list(scopeKey(scope), page);
  }

  async clear(scope: Scope, { prefix = '' }: { prefix?: string | undefined } = {}): Promise<number> {
    const owner = scopeKey(scope);
    const found = this.#entries.list(owner, { prefix, limit: Number.POSITIVE_INFINITY });
    return found.filter(({ key }) => this.#entries.delete(owner, key)).length;
  }

  async purge(subject: PurgeSubject, { dryRun = false } = {}): Promise<Removed[]> {
    const owners = 'before' in subject ? undefined : scopesOf(subject);
    return this.#entries.all().flatMap(([owner, entries]) =>
      entries
        .filter((entry) => ('before' in subject ? entry.changedAt < subject.before : owners?.includes(owner)))
        .map(({ key }): Removed => {
          if (!dryRun) this.#entries.delete(owner, key);
          return { store: 'memory', kind: 'entry', id: `${owner}/${key}`, what: key };
        }),
    );
  }

  async *export(owner?: Owner): AsyncIterable<ExportedRow> {
    const owners = owner && scopesOf(owner);
    for (const [scope, entries] of this.#entries.all()) {
      if (owners && !owners.includes(scope)) continue;
      for (const entry of entries) yield { store: 'memory', kind: 'entry', row: { scope: scopeOf(scope), ...entry } };
    }
  }
}
