import assert from 'node:assert/strict';
import type { KnowledgeStore, NewFact } from '../../domain/stores/knowledge.ts';
import { collect, isDate, refuses, type StoreContractCase, same, unique } from './contract-case.ts';

/** Adds facts of one new project. */
function adding(store: KnowledgeStore) {
  const project = unique('project');
  const add = (text: string, more: Partial<NewFact> = {}) =>
    store.addFact({ text, type: 'project', scope: { project }, ...more });
  const reader = { project };
  const texts = async (filter = {}) => (await store.facts({ reader, ...filter })).map(({ text }) => text);
  const own = async (filter = {}) => (await texts(filter)).filter((text) => text.includes(project));
  const found = async (question: string, filter = {}) =>
    (await store.search(question, { reader, ...filter })).map(({ text }) => text);
  return { project, reader, add, own, found };
}

/** What every implementation of `KnowledgeStore` does; run each case as a test. */
export const knowledgeContract: StoreContractCase<KnowledgeStore>[] = [
  {
    title: 'a fact comes back as it was written, and one with the same id replaces it',
    async run(store) {
      const { add, project, own } = adding(store);
      const id = unique('fact');
      const source = { id: 'message-1', run: 'run-1', message: 3 };
      const [createdAt, expiresAt] = [new Date('2026-01-02T03:04:05.678Z'), new Date('2100-01-01')];
      const text = `${project}: the API is in Go.`;
      const fact = await add(text, {
        id,
        confidence: 0.25,
        source,
        person: 'anna',
        tags: ['api'],
        createdAt,
        expiresAt,
      });
      same(fact, {
        ...{ id, text, type: 'project', confidence: 0.25, source, person: 'anna', scope: { project } },
        ...{ tags: ['api'], createdAt, expiresAt, supersededBy: null },
      });
      same(await store.getFact(id), fact);
      const plain = await store.addFact({ id, text: `${project}: in Rust.`, type: 'custom', scope: { project } });
      same([plain.confidence, plain.type, plain.source, plain.person, plain.tags], [1, 'custom', {}, null, []]);
      assert.ok(isDate(plain.createdAt) && plain.expiresAt === null);
      same(await own(), [`${project}: in Rust.`]);
    },
  },
  {
    title: 'what cannot be kept is refused: no text, a secret, a confidence that is none',
    async run(store) {
      const { add, own } = adding(store);
      for (const work of [
        () => add(' '),
        () => add('x', { confidence: 1.5 }),
        () => add(`The key is sk-ant-api03-${'a1B2c3D4'.repeat(11)}-abcdefAA`),
        () => store.addSummary({ text: '', scope: 'global' }),
      ])
        await refuses(work, 'InvalidInput');
      same(await own(), []);
      const none = unique('fact');
      await refuses(() => store.getFact(none), 'UnknownFact');
      await refuses(() => store.changeFact(none, { confidence: 1 }), 'UnknownFact');
      await refuses(() => store.supersede(none, none), 'UnknownFact');
      assert.equal(await store.forget(none), false);
    },
  },
  {
    title: 'facts are listed newest first, by type, person, tags and confidence',
    async run(store) {
      const { add, project, own } = adding(store);
      const day = (number: number) => new Date(Date.UTC(2026, 0, number));
      await add(`${project} 1`, { createdAt: day(1), type: 'preference', person: 'anna', tags: ['a', 'b'] });
      await add(`${project} 2`, { createdAt: day(2), confidence: 0.3, tags: ['a'] });
      await add(`${project} 3`, { createdAt: day(3), type: 'context' });
      const list = async (filter: object) => (await own(filter)).map((text) => text.slice(-1)).join('');
      assert.equal(await list({}), '321');
      assert.equal(await list({ types: ['preference', 'context'] }), '31');
      assert.equal(await list({ person: 'anna' }), '1');
      assert.equal(await list({ tags: ['a'] }), '21');
      assert.equal(await list({ tags: ['a', 'b'] }), '1');
      assert.equal(await list({ minConfidence: 0.5 }), '31');
    },
  },
  {
    title: 'a reader sees what is global, and what is of its project and its session, and nothing else',
    async run(store) {
      const { add, project } = adding(store);
      const session = unique('session');
      const word = `w${project.replaceAll('-', '')}`;
      await add(`${word} of the project`);
      await add(`${word} of the session`, { scope: { session } });
      const global = await add(`${word} of all`, { scope: 'global' });
      const read = async (reader: object) =>
        (await store.search(word, { reader })).map(({ text }) => text.split(' ').at(-1)).toSorted();
      same(await read({ project, session }), ['all', 'project', 'session']);
      same(await read({ project }), ['all', 'project']);
      same(await read({ session: project }), ['all']);
      assert.equal(await store.forget(global.id), true);
      same(await read({}), []);
    },
  },
  {
    title: 'a search finds first what shares the words of the question, within its filter',
    async run(store) {
      const { add, found } = adding(store);
      await add('The invoices are written by the nightly job.');
      await add('Deployments go through the staging cluster.', { type: 'context', confidence: 0.2 });
      await add('The logo is green.');
      const best = async (question: string, filter = {}) => (await found(question, filter))[0];
      assert.equal(await best('Which job writes the invoices?'), 'The invoices are written by the nightly job.');
      assert.equal(await best('staging cluster deployments'), 'Deployments go through the staging cluster.');
      assert.equal(
        (await found('staging cluster', { types: ['project'] })).includes(
          'Deployments go through the staging cluster.',
        ),
        false,
      );
      assert.equal(
        (await found('staging', { minConfidence: 0.5 })).includes('Deployments go through the staging cluster.'),
        false,
      );
      assert.equal((await found('the', { limit: 1 })).length <= 1, true);
    },
  },
  {
    title: 'what has expired, was superseded or forgotten is no longer found',
    async run(store) {
      const { add, found, own, project } = adding(store);
      await add(`${project} expired apples`, { expiresAt: new Date(Date.now() - 1_000) });
      const old = await add(`${project} old apples`);
      const newer = await add(`${project} newer apples`);
      const gone = await add(`${project} gone apples`);
      await store.supersede(old.id, newer.id);
      assert.equal(await store.forget(gone.id), true);
      same(await own(), [`${project} newer apples`]);
      same(await found('apples'), [`${project} newer apples`]);
      assert.equal((await store.getFact(old.id)).supersededBy, newer.id);
      await refuses(() => store.getFact(gone.id), 'UnknownFact');
    },
  },
  {
    title: 'a fact changes what is given and keeps the rest',
    async run(store) {
      const { add, project } = adding(store);
      const fact = await add(`${project} apples`, { confidence: 0.5, person: 'anna', tags: ['a'] });
      const changed = await store.changeFact(fact.id, { confidence: 0.9, text: `${project} pears` });
      same(changed, { ...fact, confidence: 0.9, text: `${project} pears` });
      same((await store.changeFact(fact.id, { tags: [] })).tags, []);
      await refuses(() => store.changeFact(fact.id, { text: '' }), 'InvalidInput');
      const ended = await store.changeFact(fact.id, { expiresAt: new Date(0) });
      same(ended.expiresAt, new Date(0));
    },
  },
  {
    title: 'summaries of a conversation and of a project are listed newest first, apart from the facts',
    async run(store) {
      const { project, reader } = adding(store);
      const session = unique('session');
      const source = { id: 'r1', message: 12 };
      await store.addSummary({ text: 'First.', scope: { session }, createdAt: new Date('2026-01-01'), source });
      await store.addSummary({ text: 'Second.', scope: { session }, person: 'anna' });
      await store.addSummary({ text: 'Of the project.', scope: { project } });
      const list = async (filter: object) => (await store.summaries(filter)).map(({ text }) => text);
      const ofSession = (await store.summaries({ reader: { session } })).filter(({ scope }) => scope !== 'global');
      same(
        ofSession.map(({ text }) => text),
        ['Second.', 'First.'],
      );
      same(ofSession[1]?.source, source);
      same(ofSession[1]?.scope, { session });
      assert.ok((await list({ reader })).includes('Of the project.'));
      assert.ok(!(await list({ reader })).includes('Second.'));
      assert.ok(!(await store.facts({ reader })).some(({ text }) => text === 'Of the project.'));
    },
  },
  {
    title: "a purge lists and removes one owner's facts and summaries, and an export yields them",
    async run(store) {
      const { add, own, project } = adding(store);
      const [person, session] = [unique('person'), unique('session')];
      await add(`${project} of a person`, { person });
      await add(`${project} of nobody`);
      await store.addFact({ text: 'Said in a session.', type: 'context', scope: { session } });
      await store.addSummary({ text: 'Of a session.', scope: { session } });
      const owner = { person, sessions: [session] };
      const kinds = (list: Array<{ kind: string }>) => list.map(({ kind }) => kind).toSorted();
      same(kinds(await collect(store.export(owner))), ['fact', 'fact', 'summary']);
      same(kinds(await store.purge(owner, { dryRun: true })), ['fact', 'fact', 'summary']);
      same(kinds(await store.purge(owner)), ['fact', 'fact', 'summary']);
      same(await own(), [`${project} of nobody`]);
      same(kinds(await store.purge({ project })), ['fact']);
      same(await collect(store.export({ project })), []);
    },
  },
];
