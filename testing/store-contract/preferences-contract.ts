import assert from 'node:assert/strict';
import type { PreferenceStore } from '../../domain/stores/preferences.ts';
import { collect, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

/** What every implementation of `PreferenceStore` does; run each case as a test. */
export const preferencesContract: StoreContractCase<PreferenceStore>[] = [
  {
    title: 'a preference is set, read, changed and deleted for its owner alone',
    async run(store) {
      const [one, other] = [{ person: unique('person') }, { person: unique('person') }];
      await store.set(one, 'language', 'en');
      await store.set(other, 'language', null);
      await store.set(one, 'language', 'no');
      same([await store.get(one, 'language'), await store.get(other, 'language')], ['no', null]);
      assert.equal(await store.get(one, 'tone'), undefined);
      same([await store.delete(one, 'language'), await store.delete(one, 'language')], [true, false]);
      same([await store.all(one), await store.all(other)], [{}, { language: null }]);
      await refuses(() => store.set(one, '', 1), 'InvalidInput');
    },
  },
  {
    title: "a project's preferences go before a person's, and these before everyone's",
    async run(store) {
      const [person, project, prefix] = [unique('person'), unique('project'), unique('key')];
      const keys = { all: `${prefix}.all`, person: `${prefix}.person`, project: `${prefix}.project` };
      for (const key of Object.values(keys)) await store.set('everyone', key, 'everyone');
      for (const key of [keys.person, keys.project]) await store.set({ person }, key, 'person');
      await store.set({ project }, keys.project, 'project');
      const ours = async (of: Parameters<PreferenceStore['resolve']>[0]) => {
        const { [keys.all]: all, [keys.person]: ofPerson, [keys.project]: ofProject } = await store.resolve(of);
        return [all, ofPerson, ofProject];
      };
      same(await ours({ person, project }), ['everyone', 'person', 'project']);
      same(await ours({ person }), ['everyone', 'person', 'person']);
      same(await ours({}), ['everyone', 'everyone', 'everyone']);
      for (const key of Object.values(keys)) await store.delete('everyone', key);
    },
  },
  {
    title: "a purge lists and removes one person's preferences, whatever their age, and an export yields them",
    async run(store) {
      const [person, other] = [unique('person'), unique('person')];
      await store.set({ person }, 'a', 1);
      await store.set({ person }, 'b', 2);
      await store.set({ project: person }, 'a', 3);
      await store.set({ person: other }, 'a', 4);
      assert.equal((await collect(store.export({ person }))).length, 2);
      same(await store.purge({ before: new Date(Date.now() + 60_000) }), []);
      assert.equal((await store.purge({ person }, { dryRun: true })).length, 2);
      const removed = await store.purge({ person });
      same(removed.map(({ kind, what }) => `${kind} ${what}`).toSorted(), ['preference a', 'preference b']);
      same(
        [await store.all({ person }), await store.all({ project: person }), await store.all({ person: other })],
        [{}, { a: 3 }, { a: 4 }],
      );
    },
  },
];
