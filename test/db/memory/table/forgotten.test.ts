import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-forgotten-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names of the files that contain the word; so few rows are stored uncompressed. */
function filesWith(word: string, uri: string): string[] {
  return readdirSync(uri, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
    .map(({ name }) => name);
}

test('the text of a forgotten memory leaves the files, and the others are still found', async () => {
  const uri = join(folder, 'german');
  const store = await openMemoryStore({ uri, embedder: createHashingEmbedder(), language: 'German' });
  const memory = (index: number) => ({
    id: `m${index}`,
    text: index === 50 ? 'Zwiebelturm in Lissabon' : `Die Häuser Nummer ${index}`,
    kind: 'fact',
    scope: 'global' as const,
  });
  await store.remember(Array.from({ length: 100 }, (_, index) => memory(index)));
  await store.optimize();
  expect(filesWith('Zwiebelturm', uri)).toHaveLength(1);

  const other = await openMemoryStore({ uri, embedder: createHashingEmbedder() }); // opened with another language than the table's
  expect(await other.forget(['m50'])).toBe(1);
  await other.optimize();
  // Without the clean-up, earlier versions that contain it would be kept for an hour.
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  await table.optimize({ cleanupOlderThan: new Date() });
  expect(filesWith('Zwiebelturm', uri)).toEqual([]);
  const version = await table.version();
  await other.optimize();
  await table.checkoutLatest();
  expect(await table.version()).toBe(version); // it is not rewritten each time

  expect(await store.count({ scope: {} })).toBe(99);
  expect(await store.search({ query: 'Haus', scope: {}, limit: 1 })).toMatchObject([{ why: 'both' }]); // by its German stem too
  expect(await store.search({ query: 'Nummer 7', scope: {}, limit: 1 })).toMatchObject([{ id: 'm7', why: 'both' }]);
  table.close();
  connection.close();
  await store.close();
  await other.close();
});
