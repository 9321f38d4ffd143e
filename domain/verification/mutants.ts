import { applyEdits, type Edit, maskTokens, tokensOfJavaScript, tokensOfPython } from './spoil/source-text.ts';

/** A small mistake in a file of the work. */
export interface Mutant {
  path: string;
  edit: Edit;
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

/** Characters of a larger file, which is data or was generated. */
const maxCharacters = 256 * 1024;

/** Of one file; few of them can be tried. */
const maxMutants = 1_000;

/** Characters of a line that a description shows. */
const shown = 100;

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

/** The mistakes that can be put into some lines of a file, counted from 1: of many, some from everywhere. None for a large file, or an unknown language. */
export function makeMutants(path: string, content: string, lines: ReadonlySet<number>): Mutant[] {
  const language = languages.find(({ files }) => files.test(path));
  if (!language || content.length > maxCharacters) return [];
  const masked = maskTokens(content, language.tokens);
  let begin = 0;
  // By the lines of the content: what hides a string of several lines has no line breaks.
  const edits = content.split('\n').flatMap((line, index) => {
    const start = begin;
    begin += line.length + 1;
    return lines.has(index + 1) ? editsOf(masked.slice(start, start + line.length), start) : [];
  });
  return pickEvenly(edits).map((edit) => ({ path, edit }));
}

function editsOf(masked: string, start: number): Edit[] {
  return operators.flatMap(([pattern, replace]) =>
    Array.from(masked.matchAll(pattern), ({ index, 0: found }) => {
      const begin = start + index;
      return { begin, end: begin + found.length, text: replace(found) };
    }),
  );
}

function pickEvenly(edits: Edit[]): Edit[] {
  const every = Math.max(edits.length / maxMutants, 1);
  return edits.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
}

/** A mistake for a person, such as `sums.py:3: a + b → a - b`; of a long line, what is around it. */
export function describeMutant({ path, edit }: Mutant, content: string): string {
  const before = content.slice(0, edit.begin).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const [line = ''] = content.slice(edit.begin - column).split('\n', 1);
  const place = { begin: column, end: column + edit.end - edit.begin, text: edit.text };
  const from = line.length > shown ? Math.max(column - shown / 2, 0) : 0;
  const excerpt = (text: string) => text.slice(from, from + shown).trim();
  return `${path}:${before.length}: ${excerpt(line)} → ${excerpt(applyEdits(line, [place]))}`;
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
