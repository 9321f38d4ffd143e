import assert from 'node:assert/strict';
import type { Json } from '../../domain/stores/json.ts';
import type { KeyValueStore } from '../../domain/stores/key-value.ts';
import { updateEntry } from '../../domain/stores/rules/update-entry.ts';
import { collect, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

const newScope = () => ({ project: unique('project') });

/** Values that stores have been seen to change: odd characters, order of keys, numbers, emptiness. */
const values: Json[] = [
  null,
  false,
  0,
  -1.5e-7,
  9007199254740991,
  '',
  'a\0b \ud800 😀 "\\',
  [],
  {},
  [null, [1, { a: [] }]],
  { z: 1, a: { b: null }, '': '', 'key with "quotes"': '\u2028' },
];

/** What every implementation of `KeyValueStore` does; run each case as a test. */
export const memoryContract: StoreContractCase<KeyValueStore>[] = [
  {
    title: 'any JSON value comes back as it was written, with its keys in order',
    async run(store) {
      const scope = newScope();
      for (const [index, value] of values.entries()) await store.set(scope, `${index}`, value);
      for (const [index, value] of values.entries()) {
        const entry = await store.get(scope, `${index}`);
        assert.equal(JSON.stringify(entry?.value), JSON.stringify(value));
      }
    },
  },
  {
    title: 'a value that JSON would change is refused, and nothing is written',
    async run(store) {
      const scope = newScope();
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      for (const value of [undefined, Number.NaN, new Date(), () => 1, { a: [undefined] }, circle])
        await refuses(() => store.set(scope, 'key', value as Json), 'NotJson');
      await refuses(() => store.set(scope, '', 1), 'InvalidInput');
      await refuses(() => store.set(scope, 'x'.repeat(501), 1), 'InvalidInput');
      same(await store.list(scope), []);
    },
  },
  {
    title: 'what a caller does to a value later changes nothing that is stored',
    async run(store) {
      const scope = newScope();
      const value = { list: [1] };
      const written = await store.set(scope, 'key', value);
      value.list.push(2);
      (written.value as typeof value).list.push(3);
      const read = await store.get(scope, 'key');
      assert.ok(read);
      (read.value as typeof value).list.push(4);
      same((await store.get(scope, 'key'))?.value, { list: [1] });
    },
  },
  {
    title: 'the same key is another entry in each scope',
    async run(store) {
      const [id, key] = [unique('id'), unique('key')];
      const scopes = ['global', { project: id }, { session: id }] as const;
      for (const scope of scopes) await store.set(scope, key, JSON.stringify(scope));
      for (const scope of scopes) assert.equal((await store.get(scope, key))?.value, JSON.stringify(scope));
      assert.equal(await store.delete('global', key), true);
      assert.equal(await store.get('global', key), undefined);
      assert.equal((await store.get({ project: id }, key))?.value, JSON.stringify({ project: id }));
    },
  },
  {
    title: 'a key is overwritten, keeps when it was created, and is deleted once',
    async run(store) {
      const scope = newScope();
      const first = await store.set(scope, 'key', 1);
      const second = await store.set(scope, 'key', 2);
      assert.notEqual(second.version, first.version);
      same(second.createdAt, first.createdAt);
      assert.ok(second.changedAt >= first.changedAt);
      same(await store.get(scope, 'key'), second);
      same([await store.delete(scope, 'key'), await store.delete(scope, 'key')], [true, false]);
      assert.equal(await store.get(scope, 'key'), undefined);
    },
  },
  {
    title: 'compare-and-set writes only what nobody changed since it was read',
    async run(store) {
      const scope = newScope();
      const first = await store.compareAndSet(scope, 'key', null, 1);
      assert.ok(first);
      assert.equal(await store.compareAndSet(scope, 'key', null, 2), undefined);
      const second = await store.compareAndSet(scope, 'key', first.version, 2);
      assert.ok(second);
      assert.equal(await store.compareAndSet(scope, 'key', first.version, 3), undefined);
      assert.equal((await store.get(scope, 'key'))?.value, 2);
      await store.delete(scope, 'key');
      assert.equal(await store.compareAndSet(scope, 'key', second.version, 3), undefined);
      const again = await store.compareAndSet(scope, 'key', null, 2);
      assert.notEqual(again?.version, second.version);
    },
  },
  {
    title: 'of writers that change one entry at once, none loses its change',
    async run(store) {
      const scope = newScope();
      const add = () => updateEntry(store, scope, 'count', (value) => Number(value ?? 0) + 1);
      await Promise.all(Array.from({ length: 20 }, add));
      assert.equal((await store.get(scope, 'count'))?.value, 20);
    },
  },
  {
    title: 'a list has the keys with a prefix, in order of their code points, in pages',
    async run(store) {
      const scope = newScope();
      const keys = ['b', 'a/2', 'a/10', 'A', 'a', 'a/ä', 'a/%', 'a/\u{1F600}', 'a/\uFFFD', 'a_1'];
      await Promise.all(keys.map((key) => store.set(scope, key, key)));
      const list = async (page?: object) => (await store.list(scope, page)).map(({ key }) => key);
      const sorted = ['A', 'a', 'a/%', 'a/10', 'a/2', 'a/ä', 'a/\uFFFD', 'a/\u{1F600}', 'a_1', 'b'];
      same(await list(), sorted);
      same(await list({ prefix: 'a/' }), sorted.slice(2, 8));
      same(await list({ prefix: 'a/%' }), ['a/%']);
      same(await list({ prefix: 'a/', limit: 2, after: 'a/10' }), ['a/2', 'a/ä']);
      same(await list({ prefix: 'none' }), []);
    },
  },
  {
    title: 'clear deletes the entries of one scope, or those with a prefix',
    async run(store) {
      const [scope, other] = [newScope(), newScope()];
      for (const key of ['a/1', 'a/2', 'b']) await store.set(scope, key, 1);
      await store.set(other, 'a/1', 1);
      assert.equal(await store.clear(scope, { prefix: 'a/' }), 2);
      same(
        (await store.list(scope)).map(({ key }) => key),
        ['b'],
      );
      assert.equal(await store.clear(scope), 1);
      assert.equal(await store.clear(scope), 0);
      assert.equal((await store.list(other)).length, 1);
    },
  },
  {
    title: "a purge lists and removes a project's entries and those of its sessions, and an export yields them",
    async run(store) {
      const [project, session] = [unique('project'), unique('session')];
      await store.set({ project }, 'of the project', 1);
      await store.set({ session }, 'of a session', 2);
      await store.set({ session: project }, 'of another session', 3);
      const owner = { project, sessions: [session] };
      const exported = await collect(store.export(owner));
      same(exported.map(({ row }) => (row as { value: Json }).value).toSorted(), [1, 2]);
      const planned = await store.purge(owner, { dryRun: true });
      assert.equal((await store.list({ project })).length, 1);
      const removed = await store.purge(owner);
      const byId = (list: typeof removed) => list.map(({ id }) => id).toSorted();
      same(byId(removed), byId(planned));
      same(removed.map(({ store: name, kind, what }) => [name, kind, what]).toSorted(), [
        ['memory', 'entry', 'of a session'],
        ['memory', 'entry', 'of the project'],
      ]);
      same([...(await store.list({ project })), ...(await store.list({ session }))], []);
      assert.equal((await store.list({ session: project })).length, 1);
      same(await store.purge(owner), []);
    },
  },
];
