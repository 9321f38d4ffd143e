import assert from 'node:assert/strict';
import type { ConversationStore } from '../../domain/stores/conversations.ts';
import { refuses, type StoreContractCase, same, unique } from './contract-case.ts';
import { agent, conversation, numberOf, result, texts, user } from './said.ts';

/** How conversations branch, change and fork. */
export const branchCases: StoreContractCase<ConversationStore>[] = [
  {
    title: 'a branch continues after a message; what was said since stays in the branch it was said in',
    async run(store) {
      const id = await conversation(store, 'a', 'b', 'c', 'd');
      const begun = await store.branch(id, await numberOf(store, id, 'b'));
      assert.equal(begun.branch, 'r2');
      same(await texts(store, id), ['a', 'b']);
      await store.append(id, user('c2'), agent('d2'));
      same(await texts(store, id), ['a', 'b', 'c2', 'd2']);
      same(await texts(store, id, { branch: 'r1' }), ['a', 'b', 'c', 'd']);
      same(
        (await store.branches(id)).map(({ name, continues, current }) => [name, continues, current]),
        [
          ['r1', null, false],
          ['r2', 'r1', true],
        ],
      );
      await refuses(() => store.branch(id, 1_000), 'UnknownMessage');
      await refuses(() => store.messages(id, { branch: 'r9' }), 'MessageUnusable');
    },
  },
  {
    title: 'no branch begins between a tool call and its result',
    async run(store) {
      const id = await conversation(store, 'a');
      await store.append(id, agent('b', 'c1', 'c2'), result('c1', 'one'), result('c2', 'two'), agent('c'));
      for (const text of ['b', 'one'])
        await refuses(async () => store.branch(id, await numberOf(store, id, text)), 'MessageUnusable');
      await store.branch(id, await numberOf(store, id, 'two'));
      await store.append(id, agent('c2'));
      same(await texts(store, id), ['a', 'b', 'one', 'two', 'c2']);
    },
  },
  {
    title: "a person's message is edited in a branch of its own, and nobody else's is",
    async run(store) {
      const id = await conversation(store, 'a', 'b', 'c', 'd');
      const edited = await store.edit(id, await numberOf(store, id, 'c'), 'c, rather');
      assert.equal(edited.text, 'c, rather');
      same(await texts(store, id), ['a', 'b', 'c, rather']);
      same(await texts(store, id, { branch: 'r1' }), ['a', 'b', 'c', 'd']);
      await refuses(async () => store.edit(id, await numberOf(store, id, 'b'), 'x'), 'MessageUnusable');
      await refuses(() => store.edit(id, edited.number, ' '), 'MessageUnusable');
      await refuses(() => store.edit(id, 1_000, 'x'), 'UnknownMessage');
      assert.equal((await store.branches(id)).length, 2);
    },
  },
  {
    title: 'an answer is regenerated after the same message, in a branch of its own',
    async run(store) {
      const id = await conversation(store, 'a', 'b', 'c');
      await store.append(id, agent('d', 'c1'), result('c1', 'r'), agent('e'));
      const asked = await store.regenerate(id, await numberOf(store, id, 'e'));
      assert.equal(asked.text, 'c');
      same(await texts(store, id), ['a', 'b', 'c']);
      await store.append(id, agent('e2'));
      await store.regenerate(id, await numberOf(store, id, 'a'));
      same(await texts(store, id), ['a']);
      same(await texts(store, id, { branch: 'r2' }), ['a', 'b', 'c', 'e2']);
      await refuses(() => store.regenerate(id, 1_000), 'UnknownMessage');
    },
  },
  {
    title: 'a fork begins with the current branch and is independent of it from then on',
    async run(store) {
      const { id } = await store.create({ id: unique('chat'), person: 'p', projectId: 'q' });
      await refuses(() => store.fork(id), 'MessageUnusable');
      await store.append(id, user('a'), agent('b', 'c1'), result('c1', 'r'), agent('c'), user('d'));
      const whole = await store.fork(id, { name: unique('fork') });
      same([whole.parentId, whole.person, whole.projectId, whole.branch], [id, 'p', 'q', 'r1']);
      same(await texts(store, whole.id), ['a', 'b', 'r', 'c', 'd']);
      const part = await store.fork(id, { id: unique('chat'), after: await numberOf(store, id, 'c') });
      same(await store.fork(id, { id: part.id }), part);
      await store.append(part.id, user('d2'));
      await store.append(id, agent('e'));
      same(await texts(store, part.id), ['a', 'b', 'r', 'c', 'd2']);
      same(await texts(store, whole.id), ['a', 'b', 'r', 'c', 'd']);
      assert.equal((await store.branches(part.id)).length, 1);
      await store.delete(id);
      same(await texts(store, part.id), ['a', 'b', 'r', 'c', 'd2']);
      assert.equal((await store.get(part.id)).parentId, id);
      const { name } = await store.get(part.id);
      await refuses(() => store.fork(part.id, { name }), 'NameUnusable');
      await refuses(() => store.fork(part.id, { after: 1_000 }), 'UnknownMessage');
    },
  },
];
