import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, connect, Index, type Table } from '@lancedb/lancedb';
import { createMadeEmbedder, madeMemory } from '../../../../bench/memory/made-memories.ts';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { minCandidates } from '../../../../db/memory/search/find-candidates.ts';
import {
  createVectorIndex,
  minRowsForVectorIndex,
  partitionsSearched,
  refineFactor,
} from '../../../../db/memory/vectors/vector-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
const embedder = createMadeEmbedder(32);
const questions = 20;
const limit = 20;
const memories = Array.from({ length: minRowsForVectorIndex }, (_, index) => madeMemory(index));

let store: MemoryStore;
let connection: Connection;
let table: Table;

beforeAll(async () => {
  store = await openMemoryStore({ uri: folder, embedder });
  for (let from = 0; from < memories.length; from += 5_000) await store.remember(memories.slice(from, from + 5_000));
  connection = await connect(folder, { readConsistencyInterval: 0 });
  table = await connection.openTable('memories');
});
afterAll(async () => {
  table?.close();
  connection?.close();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const indexes = async () => (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));

test('the vector index finds what a full scan finds, also with a filter, and what was written after it', async () => {
  expect((await store.optimize()).indexed).toContain('vector');
  const vectors = await embedder.embed(
    memories.map(({ text }) => text),
    'document',
  );
  for (const projectId of [undefined, 'project-3']) {
    let right = 0;
    for (let question = 0; question < questions; question += 1) {
      const text = beginningOf(memories[question * 451]);
      const [vector = []] = await embedder.embed([text], 'query');
      const exact = memories
        .map((memory, index) => ({ memory, score: dot(vector, vectors[index] ?? []) }))
        .filter(({ memory }) => projectId === undefined || memory.projectId === projectId)
        .sort((left, other) => other.score - left.score)
        .slice(0, limit);
      const near = await nearest(text, projectId);
      right += exact.filter(({ memory }) => near.has(memory.id)).length / limit;
    }
    expect(right / questions).toBeGreaterThanOrEqual(0.95);
  }
  await store.remember([{ ...madeMemory(7), id: 'newest', text: `${madeMemory(7).text} zzz` }]);
  expect(await nearest(`${madeMemory(7).text} zzz`, undefined)).toContain('newest');
});

test('the index replaces the old one that a killed maintenance left behind', async () => {
  const config = Index.ivfFlat({ distanceType: 'cosine', numPartitions: 2, maxIterations: 1 });
  await table.createIndex('vector', { config, name: 'vector_of_5000' });
  expect(await indexes()).toHaveLength(2);
  expect((await store.optimize()).indexed).toEqual([]);
  expect((await indexes()).map(({ name }) => name)).toEqual([`vector_of_${minRowsForVectorIndex}`]);
});

test('the quantized index of large tables finds what a full scan finds', async () => {
  for (const { name } of await indexes()) await table.dropIndex(name);
  await createVectorIndex(table, minRowsForVectorIndex, { quantized: true });
  expect((await indexes()).map(({ indexType }) => indexType)).toEqual(['IvfRq']);
  const asked = memories.filter((_, index) => index % 451 === 0).slice(0, questions);
  const vectors = await embedder.embed(asked.map(beginningOf), 'query');
  for (const condition of ['true', `project_id = 'project-3'`]) {
    let right = 0;
    for (const vector of vectors) {
      const query = () =>
        table
          .query()
          .nearestTo(vector)
          .distanceType('cosine')
          .where(condition)
          .select(['id', '_distance'])
          .limit(minCandidates);
      const [exact, near] = await Promise.all([
        query().bypassVectorIndex().toArray(),
        query().nprobes(partitionsSearched).refineFactor(refineFactor).toArray(),
      ]);
      const found = new Set(near.map(({ id }) => id));
      right += exact.filter(({ id }) => found.has(id)).length / exact.length;
    }
    expect(right / questions).toBeGreaterThanOrEqual(0.95);
  }
});

/** Its first five words, which a question might be. */
function beginningOf(memory: NewMemory | undefined): string {
  return memory?.text.split(' ').slice(0, 5).join(' ') ?? '';
}

/** What the search found by vector, from all its candidates. */
async function nearest(query: string, projectId: string | undefined): Promise<Set<string>> {
  const scope =
    projectId === undefined
      ? ('everything' as const)
      : {
          project: { id: projectId, ranges: [{ lineageId: `${projectId}/l1`, upToSequence: Number.MAX_SAFE_INTEGER }] },
        };
  const found = await store.search({ query, scope, limit: 400, neighbours: false });
  return new Set(found.filter(({ similarity }) => similarity !== undefined).map(({ id }) => id));
}

function dot(left: number[], right: number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
