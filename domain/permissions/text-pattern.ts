import type { TextPart } from './rule.ts';

/** Whether some text fits both: a pattern, in which null is `*`, and a text of which null parts are unknown. */
export function overlaps(pattern: readonly TextPart[], text: readonly TextPart[]): boolean {
  const tokens = pattern.flatMap((part) => (part === null ? [null] : [...part]));
  // Whether the token of each index may come next; after the last token, everything matched.
  let next = skipStars(tokens, [true]);
  for (const part of text) {
    if (part === null) {
      const first = next.indexOf(true);
      next = Array.from({ length: tokens.length + 1 }, (_, index) => index >= first);
      continue;
    }
    for (const character of part) {
      const after = tokens.map((token, index) => next[index] === true && token === null);
      tokens.forEach((token, index) => {
        if (next[index] && token === character) after[index + 1] = true;
      });
      next = skipStars(tokens, after);
      if (!next.includes(true)) return false;
    }
  }
  return next[tokens.length] === true;
}

function skipStars(tokens: readonly TextPart[], next: boolean[]): boolean[] {
  const skipped = [...next];
  tokens.forEach((token, index) => {
    if (token === null && skipped[index]) skipped[index + 1] = true;
  });
  return skipped;
}

/** A pattern in which `*` stands for any text. */
export function parseStars(pattern: string): TextPart[] {
  return pattern.split('*').flatMap((part, index) => (index === 0 ? [part] : [null, part]));
}
