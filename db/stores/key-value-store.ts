import { and, eq } from 'drizzle-orm';
import type { KeyValueStore } from '../../domain/stores/key-value.ts';
import { scopeKey, scopeOf, scopesOf } from '../../domain/stores/scope.ts';
import type { Database } from '../connection/database.ts';
import { memoryEntries } from '../schema/stores.ts';
import { createEntries, isOlderThan, isOwnedBy, startsWith } from './entries.ts';

/** Values by key, in the table `memory_entries`. */
export function createKeyValueStore(database: Database): KeyValueStore {
  const entries = createEntries(database, memoryEntries);
  const { owner, key: keyColumn } = memoryEntries;
  return {
    get: async (scope, key) => entries.get(scopeKey(scope), key),
    set: async (scope, key, value) => entries.set(scopeKey(scope), key, value),
    compareAndSet: async (scope, key, expected, value) => entries.compareAndSet(scopeKey(scope), key, expected, value),
    async delete(scope, key) {
      return (await entries.take(and(eq(owner, scopeKey(scope)), eq(keyColumn, key)))).length > 0;
    },
    list: async (scope, page) => entries.list(scopeKey(scope), page),
    async clear(scope, { prefix = '' } = {}) {
      return (await entries.take(and(eq(owner, scopeKey(scope)), startsWith(keyColumn, prefix)))).length;
    },
    async purge(subject, options) {
      const which =
        'before' in subject ? isOlderThan(memoryEntries, subject.before) : isOwnedBy(memoryEntries, scopesOf(subject));
      const taken = await entries.take(which, options);
      return taken.map((one) => ({ store: 'memory', kind: 'entry', id: `${one.owner}/${one.key}`, what: one.key }));
    },
    async *export(of) {
      for await (const { owner: scope, ...entry } of entries.export(of && scopesOf(of)))
        yield { store: 'memory', kind: 'entry', row: { scope: scopeOf(scope), ...entry } };
    },
  };
}
