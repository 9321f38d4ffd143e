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

test('a text that was embedded would be embedded again, or get the vector of its neighbour', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  expect(await cached.embed(['a', 'bb', 'a'], 'document')).toEqual([[1], [2], [1]]);
  expect(await cached.embed(['bb', 'ccc', 'a'], 'document')).toEqual([[2], [3], [1]]);
  expect(asked).toEqual([['a', 'bb'], ['ccc']]);
});

test('a question would get the vector of the same text as a document', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  await cached.embed(['a'], 'document');
  await cached.embed(['a'], 'query');
  expect(asked).toHaveLength(2);
});

test('the cache would grow without end, or forget what was just used', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder, 2);
  await cached.embed(['a', 'b'], 'document');
  await cached.embed(['a'], 'document'); // b is now the oldest
  await cached.embed(['c'], 'document');
  await cached.embed(['a'], 'document');
  await cached.embed(['b'], 'document');
  expect(asked).toEqual([['a', 'b'], ['c'], ['b']]);
});

test('a text that is asked for twice at once would be embedded twice', async () => {
  const { embedder, asked } = counting();
  const cached = cacheEmbeddings(embedder);
  const [one, both] = await Promise.all([cached.embed(['a'], 'query'), cached.embed(['bb', 'a'], 'query')]);
  expect([one, both]).toEqual([[[1]], [[2], [1]]]);
  expect(asked).toEqual([['a'], ['bb']]);
});

test('a text that failed would fail for ever, for all who ask for it', async () => {
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
