import { beforeAll, expect, test } from '@jest/globals';
import { readStandings } from '../../../db/budget/read-standings.ts';
import { DatabaseError } from '../../../db/database-error.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { placeBelow } from '../../../db/transcript/place-run.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const projectId = 'project-delegates';
const limits = { maxDepth: 2, maxChildren: 3 };
const { database } = await databaseOfFile();

beforeAll(async () => {
  await seedProject(database, projectId);
  await addRun('top');
  await addRun('other');
});

/** A run with 100 tokens of usage. */
async function addRun(id: string, parentId?: string): Promise<void> {
  const place = parentId === undefined ? {} : await placeBelow(database, parentId, limits);
  await database.insert(runs).values({ id, projectId, ...place, role: 'code', model: 'm', status: 'RUNNING' });
  await database
    .insert(usage)
    .values({ runId: id, turn: 1, model: 'm', inputTokens: 90, outputTokens: 10, durationMs: 1 });
}

test('delegation is limited in depth and number', async () => {
  await addRun('child', 'top');
  await addRun('grandchild', 'child');
  await expect(addRun('too-deep', 'grandchild')).rejects.toThrow(
    new DatabaseError(
      'DelegationLimit',
      'Expected runs at most 2 levels below the topmost one, got a delegation by grandchild to level 3. That run can do the work itself; `delegation.maxDepth` in longhaul.config.ts sets the limit.',
    ),
  );
  await addRun('second', 'top');
  await addRun('third', 'top');
  await expect(addRun('fourth', 'top')).rejects.toThrow(/at most 3 others, but top already has 3/);
  await addRun('elsewhere', 'second');
  await expect(addRun('lost', 'nobody')).rejects.toMatchObject({ code: 'UnknownRun' });
});

test("what a run's children use counts in its budget", async () => {
  for (const runId of ['top', 'child', 'grandchild', 'elsewhere']) {
    const [standing] = await readStandings(database, { run: { tokens: 1_000 } }, { projectId, runId });
    expect(standing?.spent).toMatchObject({ tokens: 600, turns: 6 });
  }
  const [other] = await readStandings(database, { run: { tokens: 1_000 } }, { projectId, runId: 'other' });
  expect(other?.spent).toMatchObject({ tokens: 100, turns: 1 });
});
