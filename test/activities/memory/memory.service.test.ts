import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recallFor, searchUnreverted } from '../../../activities/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { revertProject } from '../../../db/project/revert.ts';
import { readSession } from '../../../db/project/sessions.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
let memory: MemoryStore;

beforeAll(async () => {
  memory = await openMemoryStore({ uri });
});
afterAll(async () => {
  await memory.close();
  rmSync(uri, { recursive: true, force: true });
});

test('the lesson of a reverted session is not recalled', async () => {
  for (const id of ['project-taught', 'project-teacher']) await seedProject(database, id);
  const { lineageId, sequence } = await readSession(database, 'project-teacher-s1');
  const lesson = { kind: 'lesson', scope: 'global' as const, text: 'Sums of amounts were wrong with floats.' };
  const elsewhere = { projectId: 'project-of-another-stack', lineageId: 'project-of-another-stack/l1', sequence: 4 };
  await memory.remember([
    { ...lesson, id: 'reverted', projectId: 'project-teacher', lineageId, sequence },
    { ...lesson, id: 'unplaced', text: `${lesson.text} Always.`, projectId: 'project-teacher' },
    { ...lesson, id: 'imported', text: `${lesson.text} Ever.`, ...elsewhere },
  ]);
  const query = 'Why are sums of amounts wrong?';
  const recalled = async () => {
    const { foreign } = await recallFor({ database, memory }, 'project-taught', query, 6);
    const inChat = await searchUnreverted({ database, memory }, { query, scope: { sessionId: 'chat' } });
    expect(inChat.map(({ id }) => id).sort()).toEqual(foreign.map(({ id }) => id).sort());
    return foreign.map(({ id }) => id).sort();
  };
  const revert = (name: string, checkpoint: string) =>
    revertProject(database, {
      ...{ projectId: 'project-teacher', lineageId: `project-teacher/${name}` },
      ...{ checkpoint, keptRef: `refs/kept/${name}` },
    });

  expect(await recalled()).toEqual(['imported', 'reverted', 'unplaced']);
  await revert('r1', 'c0');
  expect(await recalled()).toEqual(['imported', 'unplaced']);
  await revert('r2', 'c1');
  expect(await recalled()).toEqual(['imported', 'reverted', 'unplaced']);
});
