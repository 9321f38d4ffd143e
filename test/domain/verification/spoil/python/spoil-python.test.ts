import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { drawsOf } from '../../../../../domain/verification/spoil/draw.ts';
import { spoilPython } from '../../../../../domain/verification/spoil/python/spoil-python.ts';

const how = { picksTests: false, runsFunctions: false };
const seeds = Array.from({ length: 12 }, (_, seed) => seed);

/** What is left of the lines of a text that some seed changes, without their indentation. */
function changesOf(content: string, options = how): string[] {
  const changed = seeds.flatMap((seed) => {
    const lines = spoilPython(content, drawsOf(seed), options).content.split('\n');
    return lines.filter((line) => !content.split('\n').includes(line)).map((line) => line.trim());
  });
  return [...new Set(changed)];
}

const inTest = (statement: string) => `class Sums(unittest.TestCase):\n    def test_add(self):\n        ${statement}\n`;

test.each([
  [
    'self.assertEqual(add(2, (3)), 5, "a, b")  # 2 == 3',
    /^self\.assertEqual\(add\(2, \(3\)\), [2-46-9], "a, b"\) {2}# 2 == 3$/,
  ],
  ['self.assertEqual(5, add(2, 3))', /^self\.assertEqual\([2-46-9], add\(2, 3\)\)$/],
  ['self.assertEqual(add(2, 3), total)', /^self\.assertEqual\(add\(2, 3\), \(lambda v: .*\)\(total\)\)$/],
  ['self.assertIs(leap(2015), False)', /^self\.assertIs\(leap\(2015\), True\)$/],
  ['self.assertTrue(add(2, 3) == 5)', /^self\.assertTrue\(add\(2, 3\) == [2-46-9]\)$/],
  ['self.assertTrue(ready())', /^self\.assertFalse\(ready\(\)\)$/],
  ['self.assertIn(1, all())', /^self\.assertNotIn\(1, all\(\)\)$/],
  ['self.assertAlmostEqual(f(), 2.5, places=1)', /^self\.assertAlmostEqual\(f\(\), [3-9]\.5, places=1\)$/],
  ['self.assertAlmostEqual(f(), 2.5, delta=0.1)', /^self\.assertAlmostEqual\(f\(\), [3-9]\.5, delta=0\.1\)$/],
  [
    'np.testing.assert_allclose(f(), [.5, 2.])',
    /^np\.testing\.assert_allclose\(f\(\), \[(\d\.5, 2\.|\.5, [3-9]\.)\]\)$/,
  ],
  ['assert_array_equal(f(), np.array([10, 2]))', /^assert_array_equal\(f\(\), np\.array\(\[(?:9|11), 2\]\)\)$/],
  ['assert f("7 March") == date(2023, 3, 7)', /^assert f\("7 March"\) == date\(202[24], 3, 7\)$/],
  ['assert f() == plane.Vec(2, 11)', /^assert f\(\) == plane\.Vec\([13], 11\)$/],
  ['assert f() == Vec("ab", 11)', /^assert f\(\) == Vec\("([^a]b|a[^b])", 11\)$/],
  ['assert f() == pytest.approx(.3)', /^assert f\(\) == pytest\.approx\([2-9]\.3\)$/],
  ['assert f() == pytest.approx(.3, 1)', /^assert f\(\) == \(lambda v: .*\)\(pytest\.approx\(\.3, 1\)\)$/],
  ['assert f() == sorted(3, 5)', /^assert f\(\) == \(lambda v: .*\)\(sorted\(3, 5\)\)$/],
  ['assert f() == Vec(2, 11).x', /^assert f\(\) == \(lambda v: .*\)\(Vec\(2, 11\)\.x\)$/],
  ['assert Level(300) == Level(100)', /^assert Level\(300\) == \(lambda v: .*\)\(Level\(100\)\)$/],
  ['assert f() == Vec(n, 11)', /^assert f\(\) == \(lambda v: .*\)\(Vec\(n, 11\)\)$/],
  ['assert f(Sign.PLUS) == Sign.MINUS', /^assert f\(Sign\.PLUS\) == \(lambda v, w: .*\)\(Sign\.MINUS, Sign\.PLUS\)$/],
  ['assert f() == Sign.MINUS', /^assert f\(\) == \(lambda v: .*\)\(Sign\.MINUS\)$/],
  ['f.assert_called_once_with(-3, b)', /^f\.assert_called_once_with\(-[24-9], b\)$/],
  ['with self.assertRaises(ValueError): f()', /^with self\.assertRaises\(\w+\): f\(\)$/],
  ['with pytest.raises(ValueError, match="a"): f()', /^with pytest\.raises\(\w+, match="a"\): f\(\)$/],
  ['assert add("(", 1) == {"a": 1}, "no"', /^assert add\("\(", 1\) == \{"a": [2-9]\}, "no"$/],
  ['self.assertFalse(add(2, 3) == 6)', /^self\.assertTrue\(add\(2, 3\) == 6\)$/],
  ['self.assertIn("Hello, Eve", f())', /^self\.assertIn\("(?!Hello, Eve)H\wll\w, \wv\w", f\(\)\)$/],
  ['self.assertRegex(f(), r"^Hello \\d+$")', /^self\.assertRegex\(f\(\), r"\^(H\wllo|Hell\w) \\d\+\$"\)$/],
  ['self.assertRegex(f(), "Hello?")', /^self\.assertNotRegex\(/],
  [
    'self.assertTrue(f().startswith("Well done"))',
    /^self\.assertTrue\(f\(\)\.startswith\("(?!Well done)W\wll d\wn\w"\)\)$/,
  ],
  ['assert "Hello" in f("Eve"), "no"', /^assert "(H\wllo|Hell\w)" in f\("Eve"\), "no"$/],
  ['assert "Eve" in f("Eve")', /^assert not \("Eve" in f\("Eve"\)\)$/],
  ['assert "Hello" not in f()', /^assert not \("Hello" not in f\(\)\)$/],
  ['assert "Hello" in f() or g()', /^assert not \("Hello" in f\(\) or g\(\)\)$/],
  ['assert re.search(r"well done", f())', /^assert re\.search\(r"(?!well done)w\wll d\wn\w", f\(\)\)$/],
  ['assert re.search("a|bcde", f())', /^assert not \(/],
  ['assert abs(add(.1, .2) - .3) < 1e-9', /^assert abs\(add\(\.1, \.2\) - [2-9]\.3\) < 1e-9$/],
  ['assert abs(add(1, 2) - 3) < 1', /^assert not \(abs/],
  ['assert abs(f() - 1e-3) < 1e-9', /^assert not \(abs/],
  ['assert abs(f(2 - 3)) < 1e-9', /^assert not \(abs/],
  ['assert math.isclose(f(1, 2), .3, rel_tol=1e-9)', /^assert math\.isclose\(f\(1, 2\), [2-9]\.3, rel_tol=1e-9\)$/],
  ['assert math.isclose(f(), .3, rel_tol=1e-1)', /^assert not \(math/],
  ['assert add(7, 4) > 10', /^assert not \(add\(7, 4\) > 10\)$/],
  ['assert not leap()', /^assert leap\(\)$/],
  ['assert a == 5 and b == 7', /^assert a == ([2-46-9] and b == 7|5 and b == [2-689])$/],
  ['assert a == 5 or b', /^assert not \(a == 5 or b\)$/],
])('%s expects something else', (statement, expected) => {
  for (const changed of changesOf(inTest(statement))) expect(changed).toMatch(expected);
  expect(changesOf(inTest(statement))).not.toEqual([]);
});

test('another error is one that is surely not a kind of the expected one, nor the reverse', () => {
  const namesOf = (error: string) =>
    Array.from({ length: 80 }, (_, seed) => {
      const { content } = spoilPython(inTest(`with pytest.raises(${error}): f()`), drawsOf(seed), how);
      return /raises\((\w+)\)/.exec(content)?.[1];
    });
  expect(namesOf('TypeError')).toEqual(expect.arrayContaining(['ValueError', 'KeyError', 'AttributeError', 'OSError']));
  for (const name of ['ValueError', 'OSError', 'KeyError', 'IndexError'])
    expect(namesOf('(ValueError, KeyError)')).not.toContain(name);
  for (const error of ['Exception', 'ParseError', 'json.JSONDecodeError'])
    expect([...new Set(namesOf(error))].sort()).toEqual(['BufferError', 'EOFError', 'RecursionError']);
});

const parametrized = `@pytest.mark.parametrize('a, b, total', [
    (1, 2, 30),
    (2, 3, 50),
])
def test_add(a, b, total):
    assert add(a, b) == total
`;

test('a value of a table that a test expects becomes another one, if that row surely runs and the value is used for nothing else', () => {
  for (const one of changesOf(parametrized)) expect(one).toMatch(/^\((1, 2, 3[1-9]|2, 3, 5[1-9])\),$/);
  const dates = parametrized.replace(' 3),', ' date(2024, 1, 9)),').replace(/30|50/g, 'date(2023, 3, 7)');
  for (const one of changesOf(dates)) expect(one).toMatch(/^\([12], [23], date\(202[24], 3, 7\)\),$/);
  const loop = 'for a, b, total in [(1, 2, 30), (2, 3, 50)]:\n            self.assertEqual(add(a, b), total)';
  for (const one of changesOf(inTest(loop)))
    expect(one).toMatch(/\[\(1, 2, (30\), \(2, 3, 5[1-9]|3[1-9]\), \(2, 3, 50)\)\]:$/);
  const others = [
    inTest(`${loop}\n            break`),
    inTest(loop.replace('a, b), total', 'a, total), total')),
    inTest(loop.replace('            self', '            f(a)\n        self')),
    parametrized.replace('])', '], indirect=True)'),
    parametrized.replace('add(a, b)', 'add(a, total)'),
  ];
  for (const content of others) for (const one of changesOf(content)) expect(one).toContain('(lambda v:');
  for (const one of changesOf(parametrized, { ...how, picksTests: true })) expect(one).toContain('(lambda v:');
});

test('one assertion of each test is drawn, of those that surely run', () => {
  const content = inTest(`self.assertEqual(one(), 20)
        for value in table:
            with self.subTest(value):
                self.assertEqual(value, 30)
        if odd:
            self.assertEqual(two(), 40)
        with self.assertRaises(EOFError):
            self.assertEqual(three(), 50)`);
  const kinds = new Set(changesOf(content).map((one) => /one\(\)|value|with/.exec(one)?.[0] ?? one));
  expect([...kinds].sort()).toEqual(['one()', 'value', 'with']);
});

test('an assertion in a `try` that catches nothing surely runs, and one after a function with a `return`, or after a loop that may end early', () => {
  const surely = [
    'try:\n            assert f() == 20\n        finally:\n            close()\n        return 1',
    'try:\n            f()\n        finally:\n            assert f() == 20',
    'def g():\n            return 1\n        assert f() == 20',
    'for one in all:\n            with one:\n                assert f() == 20',
    'while f():\n            break\n        assert f() == 20',
  ];
  for (const body of surely) for (const one of changesOf(inTest(body))) expect(one).toMatch(/^assert f\(\) == 2[1-9]$/);
  const maybe = [
    'try:\n            assert f() == 20\n        except AssertionError:\n            pass',
    'try:\n            assert f() == 20\n        finally:\n            return',
    'for one in all:\n            if one: continue\n            assert f() == 20',
    'def g():\n            assert f() == 20',
    'if odd:\n            check()',
    'f(lambda: check())',
    'pytest.importorskip("a")\n        assert f() == 20',
  ];
  for (const body of maybe)
    for (const one of changesOf(`def check():\n    assert f() == 20\n\n${inTest(body)}`))
      expect(one).toMatch(/^self\.assertEqual\(\d, \d+\)$/);
});

test('the assertion that is added is the last statement of a test that has no way out before, else the first', () => {
  const spoil = (body: string) => spoilPython(inTest(body), drawsOf(7), how).content;
  expect(spoil('g()\n        assert_close(f(), 0.3, rel=1)  # so\n\n')).toMatch(
    /rel=1\) {2}# so\n {8}self\.assertEqual\(\d, \d+\)\n\s*$/,
  );
  for (const body of ['return g()', 'yield g()', 'if old: self.skipTest("")', 'sys.exit(g())'])
    expect(spoil(body)).toMatch(/def test_add\(self\):\n {8}self\.assertEqual\(\d, \d+\)\n/);
});

test('a test without such an assertion fails by those of a function that it calls, else by one that is added', () => {
  const content = `def check(one, other):
    assert one == other

def test_one():
    check(f(), 1)

def test_two():
    f()

class Sums(unittest.TestCase):
    def test_three(self):
        f()
`;
  expect(changesOf(content)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^check\(f\(\), \d\)$/),
      expect.stringMatching(/^assert \d == \d+$/),
      expect.stringMatching(/^self\.assertEqual\(\d, \d+\)$/),
    ]),
  );
});

test('a program fails at what it compares itself or in its main function, else before its main part or its end', () => {
  for (const one of changesOf('assert a.f() == 20\n')) expect(one).toMatch(/^assert a\.f\(\) == 2[1-9]$/);
  for (const one of changesOf('import sys\nif add(2, 3) != 50:\n    sys.exit(1)\n'))
    expect(one).toMatch(/^if add\(2, 3\) != 5[1-9]:$/);
  for (const one of changesOf('import sys\nif "Hello" not in greet():\n    sys.exit(1)\n'))
    expect(one).toMatch(/^if "(H\wllo|Hell\w)" not in greet\(\):$/);
  for (const one of changesOf('import sys\nif not greet().endswith("Hello"):\n    sys.exit(1)\n'))
    expect(one).toMatch(/^if not greet\(\)\.endswith\("(H\wllo|Hell\w)"\):$/);
  const loop =
    "import sys\nfor a, b in [(1, 2)]:\n    if add(a) != b:\n        print('wrong', a)\n        sys.exit(1)\n";
  for (const one of changesOf(loop)) expect(one).toMatch(/^if add\(a\) != \(lambda v: .*\)\(b\):$/);
  for (const one of changesOf("def main():\n    assert f() == 20\nif __name__ == '__main__':\n    main()\n"))
    expect(one).toMatch(/^assert f\(\) == 2[1-9]$/);
  for (const program of [
    'import sys\n\ndef fail(text):\n    print(text)\n    sys.exit(1)\n\nif add(2, 3) != 50:\n    fail("no")\n',
    'def main():\n    got = add(2, 3)\n    if got != 50:\n        print("no")\n        return 1\n    return 0\n\nif __name__ == "__main__":\n    sys.exit(main())\n',
  ])
    for (const one of changesOf(program)) expect(one).toMatch(/^if (got|add\(2, 3\)) != 5[1-9]:$/);
  const called =
    'def check():\n    assert add() == 50\n\ndef main():\n    check()\n\nif __name__ == "__main__":\n    main()\n';
  for (const one of changesOf(called)) expect(one).toMatch(/^assert add\(\) == 5[1-9]$/);
  const spoil = (content: string) => spoilPython(content, drawsOf(7), how).content;
  expect(spoil('import sys\nfrom a import (\n    b,\n)\nsys.exit(b())\n')).toMatch(/^\)\nassert \d == \d+\nsys\.exit/m);
  expect(spoil("import a\n\nif __name__ == '__main__':\n    a.main()\n")).toMatch(/^assert \d == \d+\nif __name__/m);
});

test('a program that counts failures fails by a comparison that it counts, else before the exit at its end', () => {
  const counting = `failed = 0
def check(name, holds):
    global failed
    if not holds:
        failed += 1
check('adds', add(2, 3) == 50)
sys.exit(1 if failed else 0)
`;
  for (const one of changesOf(counting)) expect(one).toMatch(/^check\('adds', add\(2, 3\) == 5[1-9]\)$/);
  const own = 'errors = []\nif add(2, 3) != 50:\n    errors.append("no")\nsys.exit(len(errors))\n';
  for (const one of changesOf(own)) expect(one).toMatch(/^if add\(2, 3\) != 5[1-9]:$/);
  const others = [
    counting.replace('if failed', 'if failed > 1'),
    counting.replace('failed += 1', 'print(name)'),
    own.replace('len(errors)', 'len(errors) > 1'),
  ];
  for (const content of others)
    expect(spoilPython(content, drawsOf(7), how).content).toMatch(/\nassert \d == \d+\nsys\.exit\([^\n]*\n$/);
});

test('a class that is made with values of its own is none of tests', () => {
  const server =
    'class TestServer:\n    def __init__(self):\n        self.count = 0\n    def test_url(self):\n        return 1\n';
  const content = `${server}def test_add():\n    assert add(2, 3) == 50\n`;
  const names = (text: string) =>
    spoilPython(text, drawsOf(7), { ...how, runsFunctions: true }).tests.map(({ name }) => name);
  expect(names(content)).toEqual(['test_add']);
  expect(names(content.replace('__init__', 'set_up'))).toEqual(['test_url', 'test_add']);
});

test('a test that fails by a call, or compares in brackets, expects another value', () => {
  const inTest = (line: string) => `class A(unittest.TestCase):\n    def test_a(self):\n${line}`;
  for (const call of ['self.fail("no")', 'pytest.fail("no")', 'raise AssertionError("no")'])
    for (const one of changesOf(inTest(`        if add(2, 3) != 50:\n            ${call}\n`)))
      expect(one).toMatch(/^if add\(2, 3\) != 5[1-9]:$/);
  for (const one of changesOf(inTest('        assert (\n            add(2, 3) == 50\n        )\n')))
    expect(one).toMatch(/^add\(2, 3\) == 5[1-9]$/);
});

test('a check asks for a value that it expects elsewhere, as well as for one that there is not', () => {
  const kinds = "assert kind(2, 3, 2) == 'isosceles'\nassert kind(3, 4, 5) == 'scalene'\n";
  const asked = changesOf(kinds).join('\n');
  expect(asked).toMatch(/kind\(2, 3, 2\) == 'scalene'|kind\(3, 4, 5\) == 'isosceles'/);
  expect(asked).toMatch(/== '(?!scalene|isosceles)/);
  const signs = 'assert compare(1, 2) == -1\nassert compare(2, 1) == 1\n';
  expect(changesOf(signs).join('\n')).toMatch(/compare\(1, 2\) == 1$|compare\(2, 1\) == -1$/m);
  // Whether these are the same is for the work to say.
  for (const one of changesOf("assert word('a') == 'ice-cream'\nassert word('b') == 'Ice cream'\n"))
    expect(one).not.toMatch(/'a'\) == 'Ice cream'|'b'\) == 'ice-cream'/);
});

test('expected values of any form are no patterns', () => {
  for (const expected of ['2**10', 'WANTED[n-1]', '+5', 'list(m[::-1])', '(*t,)[0]', '("a"\n  "b")'])
    expect(changesOf(`def test_one():\n    assert f(n - 1) == ${expected}\n`)).not.toEqual([]);
});

test('a call gives another value where its function compares the parameter', () => {
  const check = 'def check(given, expected=0):\n    got = f(given)\n    assert got == expected, got\n\n';
  for (const one of changesOf(`${check}def test_one():\n    check('a', 20)\n    check('b', 30)\n`))
    expect(one).toMatch(/^check\('(a', 2[1-9]|b', 3[1-9])\)$/);
  for (const body of ['got = f(a, b)\n    assert got == b', 'b += 1\n    assert f(a) == b'])
    for (const one of changesOf(`def check(a, b):\n    ${body}\n\ndef test_one():\n    check(1, 20)\n`))
      expect(one).toMatch(/^assert .* == \(lambda v: .*\)\(b\)$/);
  for (const exit of ['return 1 if failures else 0', 'return len(failures)']) {
    const counts =
      'failures = []\n\ndef check(given, value):\n    if f(given) != value:\n        failures.append(given)\n\n';
    const main = `def main():\n    check('a', 20)\n    check('b', 30)\n    ${exit}\n\nsys.exit(main())\n`;
    for (const one of changesOf(`import sys\n\n${counts}${main}`))
      expect(one).toMatch(/^check\('(a', 2[1-9]|b', 3[1-9])\)$/);
  }
});

test('a number with a tolerance below one is another one', () => {
  for (const tolerance of ['', ', rel=1e-9', ', abs=0.01', ', abs=1e-4'])
    for (const one of changesOf(`assert dist() == pytest.approx(13.5${tolerance})\n`))
      expect(one).toMatch(new RegExp(`approx\\(1[24]\\.5${tolerance}\\)$`));
  for (const tolerance of ['rel=0.2', 'abs=2', 'rel=limit'])
    for (const one of changesOf(`assert dist() == pytest.approx(13.5, ${tolerance})\n`))
      expect(one).toContain(`approx(13.5, ${tolerance})`);
});

const several = `def test_one():
    assert f() == 10

class Base(unittest.TestCase):
    def test_two(self):
        self.assertEqual(f(), 20)

class Sums(Base):
    def test_two(self):
        self.assertEqual(f(), 30)

    def test_twice(self):
        self.assertEqual(f(), 40)

    def test_twice(self):
        self.assertEqual(f(), 40)

class TestNamed:
    def test_named(self):
        assert f() == 50

class Mixed:
    def test_mixed(self):
        assert f() == 60
`;

test('each test that any run includes is also spoiled alone', () => {
  const { tests } = spoilPython(several, drawsOf(7), { ...how, runsFunctions: true });
  expect(tests.map(({ name }) => name)).toEqual(['test_one', 'test_two', 'test_two', 'test_named']);
  for (const {
    contents: [alone],
  } of tests)
    expect(alone.split('\n').filter((line, index) => line !== several.split('\n')[index])).toHaveLength(1);
});

test('a runner of test cases leaves out functions and other classes; where tests may be left out, none is spoiled alone', () => {
  const alone = (content: string, options: object = {}) =>
    spoilPython(content, drawsOf(7), { ...how, ...options }).tests.map(({ name }) => name);
  expect(alone(several)).toEqual(['test_two', 'test_two']);
  expect(alone(several, { picksTests: true })).toEqual([]);
  expect(alone(`@unittest.skip('')\n${several}`)).toEqual([]);
  expect(alone(`# must not skip the sign\n${several}`)).toHaveLength(2);
});

const folder = mkdtempSync(join(tmpdir(), 'longhaul-spoil-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs several test files in one Python; returns how many tests of each failed. */
function failuresOf(files: string[], preface: string): number[] {
  files.forEach((content, index) => {
    writeFileSync(join(folder, `case_${index}.py`), content);
  });
  const program = `import io, unittest
${preface}
for index in range(${files.length}):
    suite = unittest.defaultTestLoader.loadTestsFromName(f'case_{index}')
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    print(len(result.failures) + len(result.errors))
`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' });
  if (stderr) throw new Error(stderr);
  return stdout.trim().split('\n').map(Number);
}

const honest = [
  'self.assertEqual(2 + 3, 5)',
  "self.assertEqual({'a': [1, 'b']}, {'a': [1, 'b']})",
  'self.assertEqual([x for x in (1, 2)], sorted([2, 1]))',
  'self.assertIs(bool(1), True)',
  'self.assertIsNone(None)',
  "self.assertIn('a', 'abc')",
  'self.assertAlmostEqual(0.1 + 0.2, 0.3)',
  "with self.assertRaises(ValueError): int('x')",
  'self.assertAlmostEqual(2.45, 2.5, delta=0.1)',
  'for a, b in [(1, 2), (2, 3)]:\n            self.assertEqual(a + 1, b)',
  'try:\n            self.assertEqual(2, 2)\n        finally:\n            len([])',
  'from datetime import date\n        assert date(2024, 2, 29) == date(2024, 2, 29)',
  'from fractions import Fraction\n        assert Fraction(0) == Fraction(0, 5)',
  'from enum import Enum\n        A = Enum("A", {"B": 1, "C": 1, "D": 2})\n        assert A.B is not A.D and A.B == A.C',
  'self.assertFalse(1 == 2)',
  'self.assertRegex("well done", "^w..l d")',
  'assert "Hello" in "Hello, Eve" and "Eve".startswith("Eve") and abs(.1 + .2 - .3) < 1e-9',
  'assert not []',
  'assert 1 < 2 and 2 == 2',
  'assert (2 == 2 or 1)',
];

test('honest work fails every spoiled test; where assertions never fail, each passes', () => {
  const content = `import unittest\nclass Sums(unittest.TestCase):\n${honest
    .map((statement, index) => `    def test_${index}(self):\n        ${statement}\n`)
    .join('')}`;
  const spoiled = seeds.map((seed) => spoilPython(content, drawsOf(seed), how).content);
  expect(failuresOf([content, ...spoiled], '')).toEqual([0, ...seeds.map(() => honest.length)]);
  const neutered = `for name in dir(unittest.TestCase):
    if name.startswith('assert') and 'Raises' not in name: setattr(unittest.TestCase, name, lambda *a, **k: None)`;
  const ofMethods = honest.filter((one) => one.includes('self.assert') && !one.includes('Raises')).length;
  expect(failuresOf(spoiled, neutered)).toEqual(seeds.map(() => honest.length - ofMethods));
});

test('each of few tests is spoiled in several places, each alone, and so is a program', () => {
  const asserts = (count: number, indent = '') =>
    Array.from({ length: count }, (_, index) => `${indent}assert f(${index}) == ${index}\n`).join('');
  const places = (contents: string[], original: string) =>
    new Set(contents.map((one) => one.split('\n').findIndex((line, index) => line !== original.split('\n')[index])))
      .size;
  const run = (content: string) => spoilPython(content, drawsOf(7), { picksTests: false, runsFunctions: true });
  const test = `def test_one():\n${asserts(3, '    ')}`;
  expect(run(test).tests.map(({ contents }) => [contents.length, places(contents, test)])).toEqual([[3, 3]]);
  const many = [1, 2, 3, 4].map((name) => `def test_${name}():\n${asserts(3, '    ')}`).join('\n');
  expect(run(many).tests.map(({ contents }) => contents.length)).toEqual([1, 1, 1, 1]);
  const program = asserts(9);
  const { content, further = [] } = run(program);
  expect(places([content, ...further], program)).toBe(5);
});
