import type { TextPart } from './rule.ts';

/** Whether some text fits both: a pattern, in which null is `*`, and a text of which null parts are unknown. */
export function overlaps(pattern: readonly TextPart[], text: readonly TextPart[]): boolean {
  if (!text.includes(null)) return fitsText(pattern, text.join(''));
  const tokens = pattern.flatMap((part) => (part === null ? [null] : [...part]));
  // Whether the token of each index may come next; after the last token, everything matched.
  let next = new Uint8Array(tokens.length + 1);
  // The two take turns, since a long text would have as many arrays as characters.
  let after = new Uint8Array(tokens.length + 1);
  next[0] = 1;
  skipStars(tokens, next);
  for (const part of text) {
    if (part === null) {
      next.fill(1, next.indexOf(1));
      continue;
    }
    for (const character of part) {
      after.fill(0);
      for (const [index, token] of tokens.entries()) {
        if (next[index] && token === null) after[index] = 1;
        if (next[index] && token === character) after[index + 1] = 1;
      }
      skipStars(tokens, after);
      [next, after] = [after, next];
      if (!next.includes(1)) return false;
    }
  }
  return next[tokens.length] === 1;
}

/** What stands between stars is found from left to right. */
function fitsText(pattern: readonly TextPart[], text: string): boolean {
  const pieces = [''];
  for (const part of pattern) {
    if (part === null) pieces.push('');
    else pieces.push(`${pieces.pop()}${part}`);
  }
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  let end = text.startsWith(first) ? first.length : -1;
  for (const piece of others) {
    const begin = end < 0 ? -1 : text.indexOf(piece, end);
    end = begin < 0 ? -1 : begin + piece.length;
  }
  return end >= 0 && text.length - end >= last.length && text.endsWith(last);
}

/** A star may stand for nothing. */
function skipStars(tokens: readonly TextPart[], next: Uint8Array): void {
  for (const [index, token] of tokens.entries()) if (token === null && next[index]) next[index + 1] = 1;
}

/** A pattern in which `*` stands for any text. */
export function parseStars(pattern: string): TextPart[] {
  return pattern.split('*').flatMap((part, index) => (index === 0 ? [part] : [null, part]));
}
