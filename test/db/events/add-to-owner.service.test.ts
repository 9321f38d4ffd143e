import { beforeAll, expect, test } from '@jest/globals';
import { isAlreadyThere } from '../../../db/connection/query-errors.ts';
import { type Addition, addToOwner } from '../../../db/events/add-to-owner.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { progressEntry, readProgress } from '../../../db/project/progress.ts';
import { runs } from '../../../db/schema/runs.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const projectId = 'project-adds';
const runId = `${projectId}-s1-work`;
const { database } = await databaseOfFile();

beforeAll(async () => {
  await seedProject(database, projectId);
  await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING' });
});

const warned = (text: string) => ({ type: 'budget-warned' as const, text });
const messageRow =
  (number: number): NonNullable<Addition['rows']> =>
  (query) => [insertMessage(query, { runId, number, turn: 1, role: 'tool', content: { text: `result ${number}` } })];
const notes = async () => (await readProgress(database, projectId)).filter(({ action }) => action === 'note');
const texts = async () =>
  (await readEvents(database, projectId)).map(({ number, data }) => [number, 'text' in data ? data.text : data.type]);

test('concurrent events keep their order and get their own numbers', async () => {
  const before = (await texts()).length;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      addToOwner(database, { kind: 'project', id: projectId }, { events: [warned(`${index}a`), warned(`${index}b`)] }),
    ),
  );
  const told = (await texts()).slice(before);
  expect(told.map(([number]) => number)).toEqual(Array.from({ length: 40 }, (_, index) => before + index + 1));
  for (let index = 0; index < told.length; index += 2) {
    expect(told[index + 1]?.[1]).toBe(`${told[index]?.[1]}`.replace('a', 'b'));
  }
});

test('a message with a taken number leaves neither events nor entries', async () => {
  const entry = { id: 'note', action: 'note', outcome: 'It works.' };
  await insertMessage(database, { runId, number: 0, turn: 1, role: 'tool', content: { text: 'the first' } });
  const before = await texts();
  const again = addToOwner(
    database,
    { kind: 'project', id: projectId },
    { ...progressEntry(entry), rows: messageRow(0) },
  );
  expect(isAlreadyThere(await again.catch((error: unknown) => error))).toBe(true);
  expect(await texts()).toEqual(before);
  expect(await notes()).toEqual([]);
  await addToOwner(database, { kind: 'project', id: projectId }, { ...progressEntry(entry), rows: messageRow(1) });
  await addToOwner(database, { kind: 'project', id: projectId }, progressEntry({ ...entry, id: 'later' }));
  const [first, second] = await notes();
  expect([first?.outcome, second?.outcome]).toEqual(['It works.', 'It works.']);
  expect(second?.sequence).toBe((first?.sequence ?? 0) + 1);
  expect((await readMessages(database, runId)).map(({ content }) => content.text)).toEqual(['the first', 'result 1']);
});

test('an unknown project is an error', async () => {
  const nobody = { kind: 'project' as const, id: 'nobody' };
  await expect(addToOwner(database, nobody, { events: [warned('lost')] })).rejects.toMatchObject({
    code: 'UnknownProject',
  });
  await expect(
    addToOwner(database, { kind: 'chat', id: 'nobody' }, progressEntry({ id: 'x', action: 'a', outcome: 'o' })),
  ).rejects.toThrow('Expected a run of a project');
});
