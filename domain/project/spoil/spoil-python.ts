import { applyEdits, maskTokens, type Span, splitOutside, tokensOfPython, wrap } from './source-text.ts';

/**
 * Lets every test of a file fail, as tests fail: where one compares, it compares with something else; where none of its own statements does, it gets a
 * comparison that fails. Work that answers any comparison, or with what it reads in the check, still passes then. A file without tests fails as a whole.
 * @param number Any number that no check has; it says nothing about who chose it.
 */
export function spoilPython(content: string, number: number): string {
  const masked = maskTokens(content, tokensOfPython);
  const failing = `assert ${number} == ${number + 1}\n`;
  const tests = findTests(masked);
  if (tests.length === 0) {
    const place = /^if\s+__name__\s*==/m.exec(masked)?.index ?? content.length;
    const newline = place > 0 && content[place - 1] !== '\n' ? '\n' : '';
    return applyEdits(content, [{ begin: place, end: place, text: `${newline}${failing}` }]);
  }
  const edits = tests.flatMap(({ begin, end, indent }) => {
    const comparisons = findComparisons(masked, { begin, end });
    const changes = comparisons.map(({ expected }) => wrap(content, masked, expected, ['(', `, ${number})`]));
    const isCertain = comparisons.some((one) => one.indent === indent);
    return isCertain ? changes : [...changes, { begin, end: begin, text: `${indent}${failing}` }];
  });
  return applyEdits(content, edits);
}

/** The bodies of test functions and methods. */
function findTests(masked: string): Array<Span & { indent: string }> {
  const tests: Array<Span & { indent: string }> = [];
  for (const signature of masked.matchAll(/^([ \t]*)(?:async\s+)?def\s+(?:test\w*|runTest)\s*\(/gm)) {
    const [whole, outer = ''] = signature;
    if (signature.index < (tests.at(-1)?.end ?? 0)) continue; // a function in a test
    const closing = splitOutside(masked, signature.index + whole.length, /(?!)/)[0]?.end ?? masked.length;
    const header = /^\)[^:\n]*:[ \t]*\n/.exec(masked.slice(closing));
    if (!header) continue;
    const begin = closing + header[0].length;
    const [, indent = ''] = /^(?:[ \t]*\n)*([ \t]*)/.exec(masked.slice(begin)) ?? [];
    if (indent.length <= outer.length) continue;
    const [body = ''] = new RegExp(`^(?:[ \\t]*\\n|${indent}.*(?:\\n|$))*`).exec(masked.slice(begin)) ?? [];
    tests.push({ begin, end: begin + body.length, indent });
  }
  return tests;
}

const comparison =
  /^([ \t]*)(assert\s|self\.assert(?:Equals?|ListEqual|DictEqual|TupleEqual|SetEqual|SequenceEqual|MultiLineEqual|AlmostEqual|CountEqual)\()/gm;

/** What is expected in the comparisons of a test, with how far their statements are indented. */
function findComparisons(masked: string, { begin, end }: Span): Array<{ expected: Span; indent: string }> {
  return [...masked.slice(begin, end).matchAll(comparison)].flatMap((statement) => {
    const [whole, indent = '', start = ''] = statement;
    const from = begin + statement.index + whole.length;
    const expected = start.startsWith('self.') ? splitOutside(masked, from, /,/)[1] : rightSide(masked, from);
    return expected && masked.slice(expected.begin, expected.end).trim() ? [{ expected, indent }] : [];
  });
}

/** The right side of an assertion that does nothing but compare two values. */
function rightSide(masked: string, from: number): Span | undefined {
  const [condition] = splitOutside(masked, from, /,/, /(?<!\\)\n/);
  const within = masked.slice(0, condition?.end);
  const others = splitOutside(within, from, /(?<!\w)(?:and|or|not|if|in|is|lambda)(?!\w)|[<>!]=?/);
  const sides = splitOutside(within, from, /==/);
  return sides.length === 2 && others.length === 1 ? sides[1] : undefined;
}
