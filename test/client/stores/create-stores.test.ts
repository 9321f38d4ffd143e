import { expect, test } from '@jest/globals';
import { createStores } from '../../../client/stores/create-stores.ts';
import { InMemoryKeyValueStore } from '../../../domain/stores/in-memory/key-value.ts';
import type { ExportedRow } from '../../../domain/stores/purge.ts';

class OwnStore extends InMemoryKeyValueStore {
  readonly address: string;
  #pings = 0;
  constructor({ address }: { address: string }) {
    super();
    this.address = address;
  }
  ping() {
    this.#pings += 1;
    return this.#pings;
  }
}

test('a store of the user is given as an instance, by a function, or as a class with options', async () => {
  const instance = new OwnStore({ address: 'here' });
  expect((await createStores({ memory: instance })).memory).toMatchObject({ address: 'here' });
  expect((await createStores({ memory: async () => instance })).memory).toMatchObject({ address: 'here' });
  const { memory } = await createStores({ memory: { use: OwnStore, options: { address: 'there' } } });
  expect(memory).toMatchObject({ address: 'there' });
  expect((memory as OwnStore).ping()).toBe(1);
});

test.each([
  ['a bare class', OwnStore, /got a bare class/],
  [
    'what lacks methods',
    { get: async () => undefined },
    /lacks set, compareAndSet, delete, list, clear, purge, export/,
  ],
  ['nothing', () => undefined, /lacks get, set/],
])('%s is refused, saying what is missing', async (_, given, says) => {
  const made = createStores({ memory: given as never });
  await expect(made).rejects.toMatchObject({ code: 'StoreUnusable', message: expect.stringMatching(says) });
});

test.each([{}, { persn: 'x' }, { person: '' }, { person: 'a', project: 'b' }, { before: new Date('x') }])(
  'a purge of %j, which names nobody, is refused',
  async (subject) => {
    const stores = await createStores();
    await expect(stores.purge(subject as never)).rejects.toMatchObject({ code: 'InvalidInput' });
  },
);

async function namesOf(rows: AsyncIterable<ExportedRow>): Promise<string[]> {
  const names: string[] = [];
  for await (const { store, kind } of rows) names.push(`${store} ${kind}`);
  return names;
}

test('a purge of a person goes through all stores, with what belongs to their conversations', async () => {
  const stores = await createStores();
  const { id } = await stores.conversations.create({ person: 'anna' });
  const other = await stores.conversations.create({ person: 'bert' });
  await stores.conversations.append(id, { role: 'user', text: 'Hello.' });
  await stores.memory.set({ session: id }, 'seen', true);
  await stores.memory.set({ session: other.id }, 'seen', true);
  await stores.audit.record({ actor: 'agent', action: 'answer', conversationId: id });
  await stores.tasks.create({ title: 'Call back', conversationId: id });
  await stores.preferences.set({ person: 'anna' }, 'tone', 'short');
  await stores.knowledge.addFact({ text: 'Likes tea.', type: 'user', person: 'anna' });
  const all = [
    ...['audit entry', 'conversations conversation', 'knowledge fact', 'memory entry'],
    ...['preferences preference', 'tasks task'],
  ];
  const lines = ({ removed }: Awaited<ReturnType<typeof stores.purge>>) =>
    removed.map(({ store, kind }) => `${store} ${kind}`).toSorted();
  expect((await namesOf(stores.export({ person: 'anna' }))).toSorted()).toEqual(
    [...all, 'conversations message'].toSorted(),
  );
  expect(lines(await stores.purge({ person: 'anna' }, { dryRun: true }))).toEqual(all);
  expect(lines(await stores.purge({ person: 'anna' }, { only: ['tasks', 'audit'] }))).toEqual([
    'audit entry',
    'tasks task',
  ]);
  expect(lines(await stores.purge({ person: 'anna' }))).toEqual(all.filter((line) => !/^(audit|tasks)/.test(line)));
  expect(await namesOf(stores.export({ person: 'anna' }))).toEqual([]);
  expect(await namesOf(stores.export())).toEqual(['memory entry', 'conversations conversation']);
});

test('a project that goes on is refused before anything is removed', async () => {
  const stores = await createStores({}, undefined, {
    purge: async () => Promise.reject(new Error('It goes on.')),
    async *export() {},
  });
  await stores.tasks.create({ title: 'Ship', projectId: 'p' });
  await expect(stores.purge({ project: 'p' })).rejects.toThrow('It goes on.');
  expect(await stores.tasks.list()).toHaveLength(1);
});

test('a purge by age keeps what is open, what is newer, and preferences', async () => {
  const stores = await createStores();
  await stores.tasks.create({ title: 'Open' });
  const done = await stores.tasks.create({ title: 'Done' });
  await stores.tasks.setStatus(done.number, 'complete');
  await stores.preferences.set('everyone', 'tone', 'short');
  await stores.knowledge.addFact({ text: 'Was so.', type: 'context', expiresAt: new Date(1) });
  await stores.knowledge.addFact({ text: 'Is so.', type: 'context' });
  await stores.audit.record({ actor: 'a', action: 'old', createdAt: new Date(0) });
  expect(await stores.purge({ before: new Date(2) })).toMatchObject({
    removed: [
      { store: 'audit', what: 'old' },
      { store: 'knowledge', what: 'context' },
    ],
  });
  const { removed } = await stores.purge({ before: new Date(Date.now() + 1_000) });
  expect(removed).toMatchObject([{ store: 'tasks', what: 'Done' }]);
});

test.each([
  ['tasks', 'create', [{}], 'task.title: expected string, got nothing'],
  ['tasks', 'list', [{ person: 'a', satus: 'open' }], 'filter: expected only known settings, got "satus"'],
  ['audit', 'record', [{ actor: 'a' }], 'entry.action: expected string, got nothing'],
  ['audit', 'recordError', [{ severity: 'bad', type: 'a', message: 'b' }], 'error.severity: '],
  ['knowledge', 'addFact', [{ text: 'a', type: 'b' }], 'fact.type: '],
  ['knowledge', 'addFact', [{ text: 'a', type: 'user', expiresAt: 'soon' }], 'fact.expiresAt: '],
  ['knowledge', 'search', ['a', { limit: -1 }], 'filter.limit: '],
  ['conversations', 'append', ['a', { role: 'robot', text: 'b' }], 'messages.0.role: '],
  ['memory', 'get', [{ sesion: 'a' }, 'b'], 'scope: expected "global", { project } or { session }, with an id'],
  ['memory', 'compareAndSet', ['global', 'a', undefined, 1], 'expected: '],
  ['preferences', 'purge', [{}], 'subject: expected { person }, { project } or { before: a date }'],
] as const)('%s.%s refuses what no store holds: %j', async (store, method, given, complaint) => {
  const stores = (await createStores()) as unknown as Record<string, Record<string, (...all: unknown[]) => unknown>>;
  await expect(stores[store]?.[method]?.(...given)).rejects.toMatchObject({
    code: 'InvalidInput',
    message: expect.stringContaining(complaint),
  });
});

test('a store of a name that there is not is refused', async () => {
  await expect(createStores({ memry: new Map() } as never)).rejects.toThrow('only known settings, got "memry"');
});
