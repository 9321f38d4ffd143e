import { createHash } from 'node:crypto';
import type { Embedder } from './embedder.ts';

/** Remembers the vectors of the texts that were embedded last, by the hash of their content: a retried write costs no second call. */
export function cacheEmbeddings(embedder: Embedder, mostTexts = 2_000): Embedder {
  const vectors = new Map<string, number[]>(); // a Map keeps the order of insertion: the first is the oldest

  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embed(texts, purpose) {
      const keys = texts.map((text) => createHash('sha256').update(`${purpose}\0${text}`).digest('base64'));
      const found = new Map(keys.map((key) => [key, vectors.get(key)]));
      const missing = [...found].filter(([, vector]) => vector === undefined).map(([key]) => key);
      const made = missing.length
        ? await embedder.embed(
            missing.map((key) => texts[keys.indexOf(key)] ?? ''),
            purpose,
          )
        : [];
      missing.forEach((key, index) => {
        found.set(key, made[index]);
      });
      return keys.map((key) => {
        const vector = found.get(key);
        if (!vector) throw new Error(`Expected ${embedder.model} to give a vector for each text, one is missing.`);
        vectors.delete(key);
        vectors.set(key, vector);
        for (const oldest of vectors.keys()) {
          if (vectors.size <= mostTexts) break;
          vectors.delete(oldest);
        }
        return vector;
      });
    },
  };
}
