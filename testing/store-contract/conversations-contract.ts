import assert from 'node:assert/strict';
import type { ConversationStore, NewConversationMessage } from '../../domain/stores/conversations.ts';
import { collect, isDate, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

const user = (text: string, more: object = {}): NewConversationMessage => ({ role: 'user', text, ...more });
const agent = (text: string, ...calls: string[]): NewConversationMessage => ({
  role: 'assistant',
  text,
  toolCalls: calls.map((id) => ({ id, name: 'look', arguments: '{"at":"sky"}' })),
});
const result = (toolCallId: string, text: string): NewConversationMessage => ({ role: 'tool', toolCallId, text });

/** Creates a conversation, with these messages said in turns by the two. */
async function conversation(store: ConversationStore, ...said: string[]): Promise<string> {
  const { id } = await store.create({ id: unique('chat') });
  await store.append(id, ...said.map((text, index) => (index % 2 ? agent(text) : user(text))));
  return id;
}

async function texts(store: ConversationStore, id: string, page = {}): Promise<string[]> {
  return (await store.messages(id, page)).map(({ text }) => text);
}

async function numberOf(store: ConversationStore, id: string, text: string): Promise<number> {
  const found = (await store.messages(id, { limit: 10_000 })).find((message) => message.text === text);
  assert.ok(found, `Expected a message "${text}".`);
  return found.number;
}

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
