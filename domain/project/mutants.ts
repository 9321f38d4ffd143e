import { applyEdits, type Edit, maskTokens, tokensOfJavaScript, tokensOfPython } from './spoil/source-text.ts';

/** A small mistake in a file of the work. */
export interface Mutant {
  path: string;
  edit: Edit;
  /** For a person, such as `sums.py:3: a + b → a - b`. */
  description: string;
}

/** How many mistakes the checks noticed. */
export interface MutantCounts {
  tried: number;
  noticed: number;
  /** Descriptions of those that were not noticed. */
  missed: string[];
}

/** Whether the checks noticed too few. @param minScore In percent. */
export function areTooFewNoticed({ tried, noticed }: MutantCounts, minScore: number): boolean {
  return noticed * 100 < tried * minScore;
}

type Operator = [pattern: RegExp, replace: (found: string) => string];

const inverted: Record<string, string> = {
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '+': '-',
  '-': '+',
  '*': '+',
  and: 'or',
  or: 'and',
  '&&': '||',
  '||': '&&',
  True: 'False',
  False: 'True',
  true: 'false',
  false: 'true',
};

function invert(found: string): string {
  return inverted[found] ?? found;
}

/** The usual operators of mutation testing that need no parser. Between spaces, a sign is an operator. */
const operators: Operator[] = [
  [/(?<= )(?:[!=]==?|[<>]=?|[+*-])(?= )/g, invert],
  [/(?<= )(?:and|or|&&|\|\|)(?= )/g, invert],
  [/(?<![\w.])(?:True|False|true|false)(?!\w)/g, invert],
  [/(?<![\w.])\d{1,9}(?![\w.])/g, (found) => String(Number(found) + 1)],
];

const languages: Array<{ files: RegExp; tokens: RegExp }> = [
  { files: /\.py$/, tokens: tokensOfPython },
  { files: /\.[cm]?[jt]sx?$/, tokens: tokensOfJavaScript },
];

/** Whether mistakes can be put into a file. */
export function isMutable(path: string): boolean {
  return languages.some(({ files }) => files.test(path));
}

/** The mistakes that can be put into some lines of a file, counted from 1; none for a language that is not known. */
export function makeMutants(path: string, content: string, lines: ReadonlySet<number>): Mutant[] {
  const language = languages.find(({ files }) => files.test(path));
  if (!language) return [];
  const masked = maskTokens(content, language.tokens);
  let begin = 0;
  return content.split('\n').flatMap((line, index) => {
    const start = begin;
    begin += line.length + 1;
    if (!lines.has(index + 1)) return [];
    return operators.flatMap(([pattern, replace]) =>
      [...masked.slice(start, start + line.length).matchAll(pattern)].map(({ index: column, 0: found }) => {
        const place = { begin: column, end: column + found.length, text: replace(found) };
        const description = `${path}:${index + 1}: ${line.trim()} → ${applyEdits(line, [place]).trim()}`;
        return { path, edit: { ...place, begin: start + place.begin, end: start + place.end }, description };
      }),
    );
  });
}

/** The added and changed lines of each file in a unified diff. */
export function changedLines(diff: string): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  let number = 0;
  for (const line of diff.split('\n')) {
    const [, path] = /^\+\+\+ b\/(.+)$/.exec(line) ?? [];
    const [, begin] = /^@@ -\S+ \+(\d+)/.exec(line) ?? [];
    if (path !== undefined) {
      lines = new Set();
      changed.set(path, lines);
    } else if (begin !== undefined) {
      number = Number(begin);
    } else if (line.startsWith('+')) {
      lines.add(number);
      number += 1;
    } else if (line.startsWith(' ')) {
      number += 1;
    }
  }
  return changed;
}
