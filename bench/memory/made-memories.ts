import type { NewMemory } from '../../db/memory/memory.ts';
import type { Embedder } from '../../domain/memory/embedder.ts';

const vocabularySize = 30_000;
const clusters = 500;
const messagesOfRun = 40;

/** A pseudo-random number from 0 to 1 for a seed (splitmix32). */
function random(seed: number): number {
  let value = (seed + 0x9e3779b9) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return ((value ^ (value >>> 15)) >>> 0) / 2 ** 32;
}

const syllables = 'ka lo mi ren tu sa vor bel ni dro fal ges hin jur pel qua rin sol tem wyx'.split(' ');

/** The word of a rank: as in a natural language, rank 0 is in every third memory, most others in only a few of a million. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return `${word}${rank % 7}`;
}

/** A made-up text of 12 to 20 words, always the same for the same number. */
export function madeText(index: number): string {
  const length = 12 + Math.floor(random(index) * 9);
  return Array.from({ length }, (_, position) =>
    wordOf(Math.floor(vocabularySize ** random(index * 31 + position * 7_919 + 1)) - 1),
  ).join(' ');
}

/** A made-up memory: one of the forty messages of a conversation, in one of ten projects. */
export function madeMemory(index: number): NewMemory {
  const run = Math.floor(index / messagesOfRun);
  return {
    id: `made-${index}`,
    text: madeText(index),
    kind: 'turn',
    scope: 'project',
    projectId: `project-${run % 10}`,
    lineageId: `project-${run % 10}/l1`,
    sequence: index,
    source: { run: `run-${run}`, message: index % messagesOfRun },
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1_000),
  };
}

/** Embeds texts as vectors in clusters, the same for the same text; the cluster depends on the first word, so a text and its beginning share one. */
export function createMadeEmbedder(dimensions: number): Embedder {
  const centres = Array.from({ length: clusters }, (_, cluster) => gaussian(cluster * 1_000_003, dimensions));
  return {
    model: `made-${dimensions}`,
    dimensions,
    async embed(texts) {
      return texts.map((text) => {
        const centre = centres[hash(text.split(' ')[0] ?? '') % clusters] ?? [];
        const noise = gaussian(hash(text), dimensions);
        const vector = centre.map((value, index) => value + (noise[index] ?? 0));
        const length = Math.hypot(...vector);
        return vector.map((value) => value / length);
      });
    },
  };
}

function gaussian(seed: number, dimensions: number): number[] {
  // The sum of three uniform numbers is close enough to a normal distribution.
  return Array.from({ length: dimensions }, (_, index) => {
    const at = seed + index * 3;
    return random(at) + random(at + 1) + random(at + 2) - 1.5;
  });
}

function hash(text: string): number {
  let value = 2_166_136_261; // FNV-1a
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return value >>> 0;
}
