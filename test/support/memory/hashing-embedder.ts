import { createHash } from 'node:crypto';
import type { Embedder } from '../../../domain/memory/embedder.ts';

/**
 * Feature hashing of word stems and of pairs of neighbouring stems (Weinberger et al. 2009): needs no model, key or service. It finds texts that
 * share words, not meanings; for tests that need vectors but no model.
 */
export function createHashingEmbedder(dimensions = 512): Embedder {
  const embed = async (texts: string[]) => texts.map((text) => embedText(text, dimensions));
  return { model: `hashing-${dimensions}`, dimensions, embed };
}

function embedText(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const stems = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word)).map(stem);
  const weights = new Map<string, number>();
  stems.forEach((word, index) => {
    weights.set(word, (weights.get(word) ?? 0) + 1);
    const next = stems[index + 1];
    if (next) weights.set(`${word} ${next}`, (weights.get(`${word} ${next}`) ?? 0) + 0.5);
  });
  for (const [feature, weight] of weights) {
    const hash = createHash('md5').update(feature).digest();
    const slot = hash.readUInt32LE(0) % dimensions;
    vector[slot] = (vector[slot] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? 1 : -1) * (1 + Math.log(Math.max(weight, 0.5)));
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ings?|ed|es|s)$/, '') : word;
}

const stopWords = new Set(
  'a an and are as at be by for from has have in is it its of on or that the this to was we were will with'.split(' '),
);
