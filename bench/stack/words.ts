const vocabulary =
  'the agent reads a file writes tests runs them finds why one fails changes two lines and goes on with what is left to do'.split(
    ' ',
  );

/**
 * Text of about that many characters, different for each seed and always the same for the same one: words in random order with numbers in between, so
 * that it compresses no better than prose or code.
 */
export function words(seed: number, characters: number): string {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const next = (below: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0; // the constants of Numerical Recipes
    return Math.floor((state / 2 ** 32) * below);
  };
  let text = '';
  while (text.length < characters) text += `${vocabulary[next(vocabulary.length)]} ${next(100_000).toString(36)} `;
  return text.slice(0, characters).trim();
}
