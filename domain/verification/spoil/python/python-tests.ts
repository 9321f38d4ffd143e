import { type Span, splitOutside } from '../source-text.ts';

/** The body of a test function or method. */
export interface PythonTest extends Span {
  name: string;
  indent: string;
  /** The class that it is in; empty for a function. */
  owner: string;
  /** What that is: a test case, the module or a class named as a test, or something else. */
  kind: 'case' | 'named' | 'other';
}

/** The functions and methods of a masked file whose names are those of tests, or others that are asked for; not those in one another. */
export function findTests(masked: string, names = /test\w*|runTest/): PythonTest[] {
  const tests: PythonTest[] = [];
  for (const signature of masked.matchAll(
    new RegExp(`^([ \\t]*)(?:async\\s+)?def\\s+(${names.source})\\s*\\(`, 'gm'),
  )) {
    const [whole, outer = '', name = ''] = signature;
    if (signature.index < (tests.at(-1)?.end ?? 0)) continue;
    const closing = splitOutside(masked, signature.index + whole.length, /(?!)/)[0]?.end ?? masked.length;
    const body = bodyAt(masked, closing, outer);
    if (body) tests.push({ name, ...body, ...ownerOf(masked, signature.index, outer) });
  }
  return tests;
}

/** The body of a function whose brackets close at a place: the lines that are indented more, or the rest of the line. */
function bodyAt(masked: string, closing: number, outer: string): (Span & { indent: string }) | undefined {
  const header = /^\)[^:\n]*:/.exec(masked.slice(closing));
  if (!header) return undefined;
  const begin = closing + header[0].length;
  const [line = ''] = /^[^\n]*\n?/.exec(masked.slice(begin)) ?? [];
  if (line.trim()) return { begin, end: begin + line.length, indent: /^[ \t]*/.exec(line)?.[0] ?? '' };
  const first = begin + line.length;
  const [, indent = ''] = /^(?:[ \t]*\n)*([ \t]*)/.exec(masked.slice(first)) ?? [];
  if (indent.length <= outer.length) return undefined;
  const [body = ''] = new RegExp(`^(?:[ \\t]*\\n|${indent}.*(?:\\n|$))*`).exec(masked.slice(first)) ?? [];
  return { begin: first, end: first + body.length, indent };
}

function ownerOf(masked: string, place: number, outer: string): Pick<PythonTest, 'owner' | 'kind'> {
  if (outer === '') return { owner: '', kind: 'named' };
  const [, owner = ''] =
    /^class\s+(\w+)\s*(?:\([^)]*\))?:.*\n(?:(?:[ \t#)].*)?\n)*(?![\s\S])/m.exec(masked.slice(0, place)) ?? [];
  if (isTestCase(masked, owner)) return { owner, kind: 'case' };
  return { owner, kind: owner.startsWith('Test') && !isMade(masked, owner) ? 'named' : 'other' };
}

/** Whether a class is made with values of its own: no runner takes it for tests. */
function isMade(masked: string, owner: string): boolean {
  return new RegExp(
    `^class\\s+${owner}\\b.*\\n(?:(?:[ \\t#)].*)?\\n)*?[ \\t]+def\\s+__(?:init|new)__\\s*\\(`,
    'm',
  ).test(masked);
}

/** Whether a class of the file is a test case, itself or by a class of the same file. */
function isTestCase(masked: string, name: string, seen: readonly string[] = []): boolean {
  if (name === '' || seen.includes(name)) return false;
  const [, bases = ''] = new RegExp(`^class\\s+${name}\\s*\\(([^)]*)\\)`, 'm').exec(masked) ?? [];
  return bases
    .split(',')
    .some(
      (base) => /TestCase$/.test(base.trim()) || isTestCase(masked, base.trim().replace(/\W/g, ''), [...seen, name]),
    );
}
