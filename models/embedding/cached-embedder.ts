import { createHash } from 'node:crypto';
import type { Embedder } from '../../domain/memory/embedder.ts';

/**
 * Caches the vectors of the most recently used texts by a hash of their content, so that neither a retried write nor a text that is just being
 * embedded costs another call. Failures are not cached.
 */
export function cacheEmbeddings(embedder: Embedder, maxTexts = 2_000): Embedder {
  const vectors = new Map<string, Promise<number[]>>(); // a Map keeps insertion order: the first is the oldest

  function begin(missing: ReadonlyMap<string, string>, purpose: 'document' | 'query'): void {
    if (!missing.size) return;
    const made = embedder.embed([...missing.values()], purpose);
    [...missing.keys()].forEach((key, index) => {
      const vector = made.then((all) => {
        const one = all[index];
        if (!one) throw new Error(`Expected a vector of ${embedder.model} for each text, but one is missing.`);
        return one;
      });
      vectors.set(key, vector);
      vector.catch(() => {
        if (vectors.get(key) === vector) vectors.delete(key);
      });
    });
  }

  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embed(texts, purpose) {
      const keys = texts.map((text) => createHash('sha256').update(`${purpose}\0${text}`).digest('base64'));
      const asked = keys.map((key, index) => [key, texts[index] ?? ''] as const);
      begin(new Map(asked.filter(([key]) => !vectors.has(key))), purpose);
      const wanted = keys.map((key) => vectors.get(key) as Promise<number[]>);
      keys.forEach((key, index) => {
        vectors.delete(key);
        vectors.set(key, wanted[index] as Promise<number[]>);
      });
      for (const oldest of vectors.keys()) {
        if (vectors.size <= maxTexts) break;
        vectors.delete(oldest);
      }
      return Promise.all(wanted);
    },
  };
}
