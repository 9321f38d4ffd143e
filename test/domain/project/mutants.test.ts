import { expect, test } from '@jest/globals';
import { changedLines, makeMutants } from '../../../domain/project/mutants.ts';

const all = new Set(Array.from({ length: 20 }, (_, index) => index + 1));
const describe = (path: string, content: string, lines = all) =>
  makeMutants(path, content, lines).map(({ description }) => description);

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
    { path: 'a.py', edit: { begin: 16, end: 17, text: '+' }, description: 'a.py:2: d = e - f → d = e + f' },
  ]);
  expect(describe('a.rb', content)).toEqual([]);
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
