import { beforeAll, expect, test } from '@jest/globals';
import type { Embedder } from '../../../domain/memory/embedder.ts';
import { createLocalEmbedder } from '../../../models/embedding/local-embedder.ts';
import { findEmbeddingModel } from '../../support/memory/embedding-model.ts';

let embedder: Embedder;

beforeAll(async () => {
  embedder = createLocalEmbedder(await findEmbeddingModel());
}, 600_000);

test('texts of one meaning without a common word are close', async () => {
  const [question = [], fits = [], other = []] = await embedder.embed(
    ['How do we store money?', 'Amounts are kept in whole cents', 'The dog ran through the park'],
    'document',
  );
  expect(cosine(question, fits)).toBeGreaterThan(cosine(question, other) + 0.15);
  expect(fits).toHaveLength(embedder.dimensions);
  expect(Math.hypot(...fits)).toBeCloseTo(1, 4);
});

test('the vector of a text does not depend on the other texts', async () => {
  const texts = ['short', 'a text that is rather longer than the first one, so that the first one is padded', 'third'];
  const together = await embedder.embed(texts, 'document');
  for (const [index, text] of texts.entries()) {
    const [alone = []] = await embedder.embed([text], 'document');
    expect(cosine(alone, together[index] ?? [])).toBeGreaterThan(0.99); // int8 activations are scaled per run, hence not exactly 1
  }
});

test('no text, an empty one, 100 KB, emoji and other scripts are accepted', async () => {
  expect(await embedder.embed([], 'document')).toEqual([]);
  const vectors = await embedder.embed(['', 'word '.repeat(20_000), '😀😀', '日本語のテキスト', '\ud800'], 'document');
  for (const vector of vectors) expect(vector.every(Number.isFinite)).toBe(true);
});

test('a missing model is reported when it is opened', async () => {
  await expect(createLocalEmbedder('/nowhere').embed(['text'], 'query')).rejects.toThrow(/vocab\.txt|model\.onnx/);
});

function cosine(left: number[], right: number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
