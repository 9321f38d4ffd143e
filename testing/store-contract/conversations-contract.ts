import assert from 'node:assert/strict';
import type { ConversationStore, NewConversationMessage } from '../../domain/stores/conversations.ts';
import { branchCases } from './branch-cases.ts';
import { collect, isDate, refuses, type StoreContractCase, same, unique } from './contract-case.ts';
import { agent, conversation, numberOf, result, texts, user } from './said.ts';

/** What every implementation of `ConversationStore` does; run each case as a test. */
export const conversationsContract: StoreContractCase<ConversationStore>[] = [
  {
    title: 'a conversation is created once per id, and its name belongs to it alone',
    async run(store) {
      const [id, name] = [unique('chat'), unique('A name')];
      const created = await store.create({ id, name, person: 'p', projectId: 'q' });
      const { createdAt, lastUsedAt, ...rest } = created;
      assert.ok(isDate(createdAt) && isDate(lastUsedAt));
      same(rest, { id, name, person: 'p', projectId: 'q', parentId: null, branch: null });
      same(await store.create({ id, name: unique('other') }), created);
      same(await store.get(id), created);
      await refuses(() => store.create({ name }), 'NameUnusable');
      const other = await store.create();
      await refuses(() => store.rename(other.id, name), 'NameUnusable');
      await refuses(() => store.rename(other.id, 'two\nlines'), 'NameUnusable');
      await refuses(() => store.create({ id: '../x' }), 'InvalidInput');
      const renamed = await store.rename(id, `${name} 2`);
      assert.equal(renamed.name, `${name} 2`);
      same(await store.rename(id, `${name} 2`), renamed);
    },
  },
  {
    title: 'an id that no conversation has is refused by everything but delete',
    async run(store) {
      const id = unique('none');
      for (const work of [
        () => store.get(id),
        () => store.rename(id, 'x'),
        () => store.append(id, user('x')),
        () => store.messages(id),
        () => store.branches(id),
        () => store.branch(id, 1),
        () => store.edit(id, 1, 'x'),
        () => store.regenerate(id, 1),
        () => store.fork(id),
      ])
        await refuses(work, 'UnknownConversation');
      assert.equal(await store.delete(id), false);
    },
  },
  {
    title: 'messages come back as they were said, with tool calls and their results in the place of the calls',
    async run(store) {
      const { id } = await store.create({ id: unique('chat') });
      await store.append(id, { role: 'system', text: 'You look.' }, user('What is above?'), agent('', 'c1', 'c2'));
      await store.append(id, result('c2', 'Stars.'));
      await store.append(id, { ...result('c1', 'No.'), failed: true } as NewConversationMessage, agent('Stars.'));
      const said = await store.messages(id);
      same(
        said.map(({ number: _, createdAt: __, id: ___, ...rest }) => rest),
        [
          { role: 'system', text: 'You look.', toolCalls: [], toolCallId: null, failed: null },
          { role: 'user', text: 'What is above?', toolCalls: [], toolCallId: null, failed: null },
          {
            ...{ role: 'assistant', text: '', toolCallId: null, failed: null },
            toolCalls: ['c1', 'c2'].map((call) => ({ id: call, name: 'look', arguments: '{"at":"sky"}' })),
          },
          { role: 'tool', text: 'No.', toolCalls: [], toolCallId: 'c1', failed: true },
          { role: 'tool', text: 'Stars.', toolCalls: [], toolCallId: 'c2', failed: false },
          { role: 'assistant', text: 'Stars.', toolCalls: [], toolCallId: null, failed: null },
        ],
      );
      const numbers = said.map(({ number }) => number);
      same(
        numbers,
        numbers.toSorted((left, right) => left - right),
      );
      assert.equal(numbers[0], 0);
      assert.ok(said.every(({ createdAt }) => isDate(createdAt)));
      assert.equal((await store.get(id)).branch, 'r1');
    },
  },
  {
    title: 'a message that no model would accept where it is, is refused with all that came with it',
    async run(store) {
      const id = await conversation(store, 'Hello.');
      const refused: NewConversationMessage[][] = [
        [{ role: 'system', text: 'Late.' }],
        [user(' ')],
        [user('x'.repeat(200_001))],
        [result('c1', 'No call.')],
        [agent('Twice.', 'c1', 'c1')],
        [agent('Open.', 'c1'), user('Next.')],
        [agent('Open.', 'c1'), agent('Next.')],
        [agent('Open.', 'c1'), result('c1', 'a'), result('c1', 'b')],
      ];
      for (const messages of refused)
        await refuses(() => store.append(id, agent('Fine.'), ...messages), 'MessageUnusable');
      same(await texts(store, id), ['Hello.']);
      same(await store.append(id), []);
      await store.append(id, agent('Open.', 'c1'));
      await refuses(() => store.append(id, user('Next.')), 'MessageUnusable');
      await store.append(id, result('c1', 'Done.'), user('Next.'));
      same(await texts(store, id), ['Hello.', 'Open.', 'Done.', 'Next.']);
    },
  },
  {
    title: 'messages that a retry adds again are there once',
    async run(store) {
      const id = await conversation(store);
      const batch = [user('One.', { id: 'm1' }), { ...agent('Two.'), id: 'm2' } as NewConversationMessage];
      const added = await store.append(id, ...batch);
      same(await store.append(id, ...batch), added);
      same(await store.append(id, user('Other words.', { id: 'm1' })), added.slice(0, 1));
      await refuses(() => store.append(id, user('New.', { id: 'm3' }), user('One.', { id: 'm1' })), 'MessageUnusable');
      same(
        (await store.messages(id)).map((message) => message.id),
        ['m1', 'm2'],
      );
    },
  },
  {
    title: 'of writers that append at once, none loses a message, and the order is definite',
    async run(store) {
      const id = await conversation(store);
      const writers = Array.from({ length: 10 }, async (_, writer) => {
        for (let index = 0; index < 10; index += 1) await store.append(id, user(`${writer}.${index}`));
      });
      await Promise.all(writers);
      const said = await texts(store, id, { limit: 1_000 });
      assert.equal(new Set(said).size, 100);
      for (let writer = 0; writer < 10; writer += 1) {
        const own = said.filter((text) => text.startsWith(`${writer}.`));
        same(
          own,
          own.map((_, index) => `${writer}.${index}`),
        );
      }
      same(await texts(store, id, { limit: 1_000 }), said);
    },
  },
  {
    title: 'pages: the last messages, those before and those after a number',
    async run(store) {
      const id = await conversation(store, 'a', 'b', 'c', 'd', 'e');
      const [c, e] = [await numberOf(store, id, 'c'), await numberOf(store, id, 'e')];
      same(await texts(store, id), ['a', 'b', 'c', 'd', 'e']);
      same(await texts(store, id, { limit: 2 }), ['d', 'e']);
      same(await texts(store, id, { before: e, limit: 2 }), ['c', 'd']);
      same(await texts(store, id, { after: c, limit: 1 }), ['d']);
      same(await texts(store, id, { after: e }), []);
      same(await texts(store, id, { after: c, before: e }), ['d']);
    },
  },
  ...branchCases,
  {
    title: 'a list has the conversations of a person or project, the most recently used first',
    async run(store) {
      const [person, projectId] = [unique('person'), unique('project')];
      const [one, other] = [await store.create({ person }), await store.create({ person, projectId })];
      const since = other.lastUsedAt;
      const later = async (id: string) => {
        do await store.append(id, user('x'));
        while ((await store.get(id)).lastUsedAt <= since);
      };
      await later(one.id);
      const ids = async (filter: object) => (await store.list(filter)).map(({ id }) => id);
      same(await ids({ person }), [one.id, other.id]);
      same(await ids({ person, limit: 1 }), [one.id]);
      same(await ids({ projectId }), [other.id]);
      same(await ids({ person, before: since }), []);
      same(await ids({ person, before: new Date(Number(since) + 1) }), [other.id]);
      assert.equal(await store.delete(one.id), true);
      same(await ids({ person }), [other.id]);
    },
  },
  {
    title: "a purge lists and removes one owner's conversations, and an export yields each message once",
    async run(store) {
      const person = unique('person');
      const { id, name } = await store.create({ person });
      await store.append(id, user('a'), agent('b'), user('c'));
      await store.edit(id, await numberOf(store, id, 'c'), 'c2');
      const other = await conversation(store, 'stays');
      const exported = (await collect(store.export({ person }))).map(({ kind, row }) =>
        kind === 'message' ? (row as { text: string }).text : kind,
      );
      same(exported, ['conversation', 'a', 'b', 'c', 'c2']);
      const removed = [{ store: 'conversations', kind: 'conversation', id, what: name, rows: 4 }];
      same(await store.purge({ person }, { dryRun: true }), removed);
      same(await store.purge({ person }), removed);
      await refuses(() => store.get(id), 'UnknownConversation');
      same(await texts(store, other), ['stays']);
      same(await store.purge({ person }), []);
    },
  },
];
