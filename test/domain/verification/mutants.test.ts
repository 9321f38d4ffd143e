import { expect, test } from '@jest/globals';
import { changedLines, describeMutant, makeMutants } from '../../../domain/verification/mutants.ts';

const all = new Set(Array.from({ length: 20 }, (_, index) => index + 1));
const describe = (path: string, content: string, lines = all) =>
  makeMutants(path, content, lines).map((mutant) => describeMutant(mutant, content));

test('each operator, truth value and number of a line is changed once', () => {
  expect(
    describe('a.py', 'def add(a, b):\n    return a + b\n\nif add(2, x) == 4 and True:  # 1 + 1\n    print("a + 1")\n'),
  ).toEqual([
    'a.py:2: return a + b → return a - b',
    'a.py:4: if add(2, x) == 4 and True:  # 1 + 1 → if add(2, x) != 4 and True:  # 1 + 1',
    'a.py:4: if add(2, x) == 4 and True:  # 1 + 1 → if add(2, x) == 4 or True:  # 1 + 1',
    'a.py:4: if add(2, x) == 4 and True:  # 1 + 1 → if add(2, x) == 4 and False:  # 1 + 1',
    'a.py:4: if add(2, x) == 4 and True:  # 1 + 1 → if add(3, x) == 4 and True:  # 1 + 1',
    'a.py:4: if add(2, x) == 4 and True:  # 1 + 1 → if add(2, x) == 5 and True:  # 1 + 1',
  ]);
  expect(describe('a.py', 'text = """\n1 + 1\n"""\na = b + c\n')).toEqual(['a.py:4: a = b + c → a = b - c']);
  expect(describe('a.ts', 'const f = (a: number) => a <= 1;')).toEqual([
    'a.ts:1: const f = (a: number) => a <= 1; → const f = (a: number) => a > 1;',
    'a.ts:1: const f = (a: number) => a <= 1; → const f = (a: number) => a <= 2;',
  ]);
});

test('a mistake is an edit of the whole file; other lines and other languages are left alone', () => {
  const content = 'a = b + c\nd = e - f\n';
  expect(makeMutants('a.py', content, new Set([2]))).toEqual([
    { path: 'a.py', edit: { begin: 16, end: 17, text: '+' } },
  ]);
  expect(describe('a.py', content, new Set([2]))).toEqual(['a.py:2: d = e - f → d = e + f']);
  expect(describe('a.rb', content)).toEqual([]);
});

test('of a long line, a thousand mistakes from everywhere are taken, and what is around them shown', () => {
  const numbers = Array.from({ length: 30_000 }, (_, index) => index % 1_000);
  const content = `const table = [${numbers.join(', ')}];`;
  const mutants = makeMutants('table.js', content, all);
  expect(mutants).toHaveLength(1_000);
  expect(mutants.at(-1)?.edit.begin).toBeGreaterThan(content.length * 0.99);
  expect(JSON.stringify(mutants).length).toBeLessThan(200_000);
  for (const mutant of mutants.slice(0, 50)) {
    const shown = describeMutant(mutant, content);
    expect(shown.length).toBeLessThan(220);
    const [before = '', after] = shown.replace('table.js:1: ', '').split(' → ');
    expect(before).toMatch(/\d/);
    expect(after).not.toBe(before);
  }
});

test('a large file is not looked into, and strings and comments without an end take no time', () => {
  expect(makeMutants('a.py', 'a = b + c\n'.repeat(30_000), all)).toEqual([]);
  const since = performance.now();
  for (const text of ['/*', '"\\', "'\\", '`\\', '"""', "'''\\", '"\'`'])
    for (const path of ['a.py', 'a.js']) makeMutants(path, text.repeat(200_000 / text.length), all);
  expect(performance.now() - since).toBeLessThan(10_000); // half a second; minutes where each is followed to the end
});

test('the lines that a diff adds or changes are known by their numbers', () => {
  const diff = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,3 +1,4 @@
 one
-two
+two, changed
+two and a half
 three
@@ -10,1 +11,2 @@ def f():
 ten
+eleven
diff --git a/new.py b/new.py
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+one
+two
`;
  expect(changedLines(diff)).toEqual(
    new Map([
      ['a.py', new Set([2, 3, 12])],
      ['new.py', new Set([1, 2])],
    ]),
  );
});
