import { expect, test } from '@jest/globals';
import { cacheEmbeddings } from '../../../models/embedding/cached-embedder.ts';

function counting() {
  const asked: string[][] = [];
  const embedder = {
    model: 'counting',
    dimensions: 1,
    async embed(texts: string[]) {
      asked.push(texts);
      return texts.map((text) => [text.length]);
    },
  };
  return { embedder, asked };
}

test('a text is embedded once and gets its own vector', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  expect(await cached.embed(['a', 'bb', 'a'], 'document')).toEqual([[1], [2], [1]]);
  expect(await cached.embed(['bb', 'ccc', 'a'], 'document')).toEqual([[2], [3], [1]]);
  expect(asked).toEqual([['a', 'bb'], ['ccc']]);
});

test('a question and the same text as a document have different vectors', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  await cached.embed(['a'], 'document');
  await cached.embed(['a'], 'query');
  expect(asked).toHaveLength(2);
});

test('the cache is bounded and keeps what was used last', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder, 2);
  await cached.embed(['a', 'b'], 'document');
  await cached.embed(['a'], 'document'); // b is now the oldest
  await cached.embed(['c'], 'document');
  await cached.embed(['a'], 'document');
  await cached.embed(['b'], 'document');
  expect(asked).toEqual([['a', 'b'], ['c'], ['b']]);
});

test('a text requested twice at once is embedded once', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  const [one, both] = await Promise.all([cached.embed(['a'], 'query'), cached.embed(['bb', 'a'], 'query')]);
  expect([one, both]).toEqual([[[1]], [[2], [1]]]);
  expect(asked).toEqual([['a'], ['bb']]);
});

test('a text that failed is embedded again at the next request', async () => {
  let fails = true;
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings({
    ...embedder,
    embed: (texts) => (fails ? Promise.reject(new Error('out of memory')) : embedder.embed(texts)),
  });
  const both = await Promise.allSettled([cached.embed(['a'], 'query'), cached.embed(['a'], 'query')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await cached.embed(['a'], 'query')).toEqual([[1]]);
  expect(asked).toEqual([['a']]);
});
