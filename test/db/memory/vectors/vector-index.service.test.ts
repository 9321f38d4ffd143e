import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect, Index } from '@lancedb/lancedb';
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
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedder = createMadeEmbedder(32);
const questions = 40;
const limit = 20;
const memories = Array.from({ length: minRowsForVectorIndex }, (_, index) => madeMemory(index));

test('the vector index finds what a full scan finds, also with a filter, and replaces the old one', async () => {
  const store = await openMemoryStore({ uri: folder, embedder });
  await remember(store);
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
      const near = await nearest(store, text, projectId);
      right += exact.filter(({ memory }) => near.has(memory.id)).length / limit;
    }
    expect(right / questions).toBeGreaterThanOrEqual(0.95);
  }
  // A memory written after the index was made is found by its vector too.
  await store.remember([{ ...madeMemory(7), id: 'newest', text: `${madeMemory(7).text} zzz` }]);
  expect(await nearest(store, `${madeMemory(7).text} zzz`, undefined)).toContain('newest');

  // An index for fewer vectors, as left by a maintenance that was killed after making the new index and before removing the old one.
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const table = await connection.openTable('memories');
  const config = Index.ivfFlat({ distanceType: 'cosine', numPartitions: 2, maxIterations: 1 });
  await table.createIndex('vector', { config, name: 'vector_of_5000' });
  const indexes = async () => (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));
  expect(await indexes()).toHaveLength(2);
  expect((await store.optimize()).indexed).toEqual([]);
  expect((await indexes()).map(({ name }) => name)).toEqual([`vector_of_${minRowsForVectorIndex}`]);
  table.close();
  connection.close();
  await store.close();
}, 600_000);

test('the quantized index of large tables finds what a full scan finds', async () => {
  const uri = join(folder, 'large');
  const wide = createMadeEmbedder(384);
  const store = await openMemoryStore({ uri, embedder: wide });
  await remember(store);
  await store.close();
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  await createVectorIndex(table, minRowsForVectorIndex, { quantized: true });
  expect((await table.listIndices()).map(({ indexType }) => indexType)).toContain('IvfRq');

  const vectors = await wide.embed(
    memories
      .filter((_, index) => index % 451 === 0)
      .slice(0, questions)
      .map(beginningOf),
    'query',
  );
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
  table.close();
  connection.close();
}, 600_000);

async function remember(store: MemoryStore): Promise<void> {
  for (let from = 0; from < memories.length; from += 5_000) await store.remember(memories.slice(from, from + 5_000));
}

/** Its first five words, which a question might be. */
function beginningOf(memory: NewMemory | undefined): string {
  return memory?.text.split(' ').slice(0, 5).join(' ') ?? '';
}

/** What the search found by vector, from all its candidates. */
async function nearest(store: MemoryStore, query: string, projectId: string | undefined): Promise<Set<string>> {
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
