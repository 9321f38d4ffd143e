import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../../activities/dependencies.ts';
import { createMemoryTools } from '../../../../activities/tools/kinds/memory-tools.ts';
import { createNoteTools } from '../../../../activities/tools/kinds/note-tools.ts';
import type { ToolContext } from '../../../../activities/tools/tool.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { readDecisions } from '../../../../db/project/decisions.ts';
import { seedProject } from '../../../client/seed-project.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/test-database.ts';

const projectId = 'project-notes';
const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
let postgres: TestDatabase;
let memory: MemoryStore;

beforeAll(async () => {
  postgres = await createTestDatabase();
  await seedProject(postgres.database, projectId);
  memory = await openMemoryStore({ uri: folder });
});
afterAll(async () => {
  await memory?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const decision = {
  title: 'Where uploads go',
  context: 'Files are large.',
  choice: 'An object store.',
  reasoning: 'Disks fill up.',
  tags: ['uploads'],
};
const context = (id: string) =>
  ({ id, run: { owner: { kind: 'project', id: projectId }, runId: undefined } }) as unknown as ToolContext;
function tools() {
  const dependencies = { database: postgres.database, memory } as Dependencies;
  return { ...createNoteTools(dependencies), ...createMemoryTools(dependencies) };
}

test.each([
  ['title', `Use ghp_${'a1B2'.repeat(9)}`, 'a GitHub token'],
  ['context', 'It is read from\nAPI_KEY="abc123def456"', 'a password or key that is named as one'],
  ['choice', 'postgres://user:hunter2@host/db', 'a password in an address'],
  ['reasoning', `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----`, 'a private key'],
])('a secret in the %s of a decision is refused with advice', async (field, text, name) => {
  const before = (await readDecisions(postgres.database, projectId)).length;
  const result = await tools().record_decision({ ...decision, [field]: text }, context(`secret-${field}`));
  expect(result).toEqual({
    failed: true,
    text: `The decision seems to contain ${name} and was not recorded. Record it without the secret; name the place where the secret is stored.`,
  });
  expect(await readDecisions(postgres.database, projectId)).toHaveLength(before);
  expect(await memory.get([`secret-${field}`])).toEqual([]);
});

test('a retried decision is recorded once and recalled', async () => {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    expect(await tools().record_decision(decision, context('decision-1'))).toEqual({
      text: 'Recorded: "Where uploads go".',
    });
  }
  expect((await readDecisions(postgres.database, projectId)).filter(({ id }) => id === 'decision-1')).toHaveLength(1);
  const { text } = await tools().search_memory({ query: 'where do uploads go?', limit: 5 }, context('search-1'));
  expect(text.match(/Choice: An object store\./g)).toHaveLength(1);
});
