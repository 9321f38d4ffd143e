/** The stems of a text, and the indexes of the texts said just before and after it. */
export interface WordDocument {
  stems: string[];
  before?: number | undefined;
  after?: number | undefined;
}

/** BM25's k1 (how soon repeating a word adds no more) and b (how much longer texts are held back), low since memories are short. */
const saturation = 0.9;
const lengthWeight = 0.4;

/** Weight of a word that only a neighbour contains. */
const neighbourWeight = 0.3;

/**
 * BM25 of a question's words over the given texts: words that are rare among them count more. A word that only the message before or after contains
 * counts less, so that a question's words may be spread over a conversation without a repeated one counting twice.
 */
export function scoreWords(question: readonly string[], documents: readonly WordDocument[]): number[] {
  const wanted = new Set(question);
  const words = [...wanted];
  const counts = documents.map(({ stems }) => countOf(stems, wanted));
  const meanLength = documents.reduce((sum, { stems }) => sum + stems.length, 0) / (documents.length || 1) || 1;
  const rarity = new Map(
    words.map((word) => {
      const having = counts.filter((count) => count.has(word)).length;
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );

  function weigh(index: number | undefined, word: string): number {
    const count = index === undefined ? undefined : counts[index]?.get(word);
    if (!count || index === undefined) return 0;
    const length = (documents[index]?.stems.length ?? 0) / meanLength;
    return (count * (saturation + 1)) / (count + saturation * (1 - lengthWeight + lengthWeight * length));
  }

  return documents.map(({ before, after }, index) =>
    words.reduce((sum, word) => {
      const near = neighbourWeight * Math.max(weigh(before, word), weigh(after, word));
      return sum + (rarity.get(word) ?? 0) * Math.max(weigh(index, word), near);
    }, 0),
  );
}

function countOf(stems: readonly string[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) if (wanted.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
