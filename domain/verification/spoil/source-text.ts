/**
 * The strings and comments of a language. None begins behind a backslash, and a comment that nothing ends goes to the end: otherwise each of many would
 * be followed to the end in vain.
 */
export const tokensOfPython =
  /("""[\s\S]*?"""|'''[\s\S]*?'''|(?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*')|#.*/g;
export const tokensOfJavaScript =
  /((?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)'(?:\\.|[^'\\\n])*'|(?<!\\)`(?:\\[\s\S]|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The same text, of the same length, without what strings and comments say: a string is quotes alone, a comment is blank. */
export function maskTokens(text: string, tokens: RegExp): string {
  return text.replace(tokens, (token, string?: string) => (string === undefined ? ' ' : '"').repeat(token.length));
}

export interface Span {
  begin: number;
  end: number;
}

/** The parts of a masked text between separators outside of brackets, from a place up to `end`, or to the bracket that closes what the place is in. */
export function splitOutside(masked: string, from: number, separator: RegExp, end = /(?!)/): Span[] {
  const parts: Span[] = [];
  let begin = from;
  let depth = 0;
  let index = from;
  const [isSeparator, isEnd] = [separator, end].map((pattern) => new RegExp(pattern, 'y')) as [RegExp, RegExp];
  const matchHere = (pattern: RegExp) => {
    pattern.lastIndex = index;
    return pattern.exec(masked)?.[0].length ?? 0;
  };
  for (; index < masked.length; index += 1) {
    const character = masked[index] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth < 0 || (depth === 0 && matchHere(isEnd))) break;
    const separating = depth === 0 ? matchHere(isSeparator) : 0;
    if (!separating) continue;
    parts.push({ begin, end: index });
    index += separating - 1;
    begin = index + 1;
  }
  return [...parts, { begin, end: index }];
}

/** A change of a text at a place. */
export interface Edit extends Span {
  text: string;
}

/** Wraps what is in a span, without the white space and comments around it. */
export function wrap(text: string, masked: string, span: Span, [left, right]: [string, string]): Edit {
  const inside = masked.slice(span.begin, span.end);
  const begin = span.begin + inside.length - inside.trimStart().length;
  const end = begin + inside.trim().length;
  return { begin, end, text: `${left}${text.slice(begin, end)}${right}` };
}

/** The text with each edit alone. */
export function applyEach(text: string, [first, ...others]: [Edit, ...Edit[]]): [string, ...string[]] {
  return [applyEdits(text, [first]), ...others.map((edit) => applyEdits(text, [edit]))];
}

export function applyEdits(text: string, edits: Edit[]): string {
  const sorted = [...edits].sort((one, other) => other.begin - one.begin);
  return sorted.reduce((changed, edit) => changed.slice(0, edit.begin) + edit.text + changed.slice(edit.end), text);
}
