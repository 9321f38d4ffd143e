import { expect, test } from '@jest/globals';
import { spoilPython as spoil } from '../../../../domain/project/spoil/spoil-python.ts';

const how = { skipsTests: false, runsFunctions: false };
const spoilPython = (content: string, number: number) => spoil(content, number, how).content;

test('what a test of its own statements compares is compared with something else', () => {
  const content = `import unittest

class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, (3)), 5, "a, b")  # 2 == 3
        assert add("(", 1) == {"a": 1}, 'no'

    @mark
    async def test_deep(
        self,
    ):
        for one in [1]:
            self.assertEqual(one, 1)
        self.assertEqual(
            one,
            """
a == b
""",
        )
`;
  expect(spoilPython(content, 7)).toBe(`import unittest

class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, (3)), 12, "a, b")  # 2 == 3
        assert add("(", 1) == ({"a": 1}, 7), 'no'

    @mark
    async def test_deep(
        self,
    ):
        for one in [1]:
            self.assertEqual(one, 7927)
        self.assertEqual(
            one,
            """
a == b
7926""",
        )
`);
});

test('a test without a comparison among its own statements gets one that fails', () => {
  const content = `def test_one():
    if ready():
        assert f() == 1

def test_two():
    # nothing is compared
    with raises(ValueError):
        f()
    assert 1 < 2 == True
    assert a == b or c

def test_three():
    assert f() == \\
        1  # one (
    assert g() == 2  # two
`;
  expect(spoilPython(content, 7)).toBe(`def test_one():
    assert 7 == 8
    if ready():
        assert f() == 8

def test_two():
    assert 7926 == 7927
    # nothing is compared
    with raises(ValueError):
        f()
    assert 1 < 2 == True
    assert a == b or c

def test_three():
    assert f() == (\\
        1, 15845)  # one (
    assert g() == 15847  # two
`);
});

test('a program fails at what it compares itself, at its end, or before it may exit', () => {
  expect(spoilPython('assert a.f() == 1\n', 7)).toBe('assert a.f() == 8\n');
  expect(spoilPython('def f():\n    assert g() == 1\nf()\n', 7)).toBe(
    'def f():\n    assert g() == 8\nf()\nassert 7 == 8\n',
  );
  expect(spoilPython('import sys\nfrom a import (\n    b,\n)\nsys.exit(b() != 1)\n', 7)).toBe(
    'import sys\nfrom a import (\n    b,\n)\nassert 7 == 8\nsys.exit(b() != 1)\n',
  );
});

test('a file without tests fails before the line that runs it', () => {
  expect(spoilPython("import a\n\nif __name__ == '__main__':\n    a.main()\n", 7)).toBe(
    "import a\n\nassert 7 == 8\nif __name__ == '__main__':\n    a.main()\n",
  );
  expect(spoilPython('def test_a(): assert f() == 1', 7)).toBe('def test_a(): assert f() == 1\nassert 7 == 8\n');
});

const several = `def helper():
    pass

def test_one():
    assert f() == 1

class Sums(unittest.TestCase):
    def test_two(self):
        self.assertEqual(f(), 2)

    def test_twice(self):
        self.assertEqual(f(), 3)

    def test_twice(self):
        self.assertEqual(f(), 3)

class TestNamed:
    def test_named(self):
        assert f() == 4

class Mixed:
    def test_mixed(self):
        assert f() == 5

if True:
    def test_conditional():
        assert f() == 6
`;

test('each test that any run includes is also spoiled alone, with a number of its own', () => {
  const { tests, content } = spoil(several, 7, { ...how, runsFunctions: true });
  expect(tests.map(({ name }) => name)).toEqual(['test_one', 'test_two', 'test_named']);
  for (const { marks, content: alone } of tests) {
    const [mark = ''] = marks;
    expect(content).toContain(mark);
    const changed = alone.split('\n').filter((line, index) => line !== several.split('\n')[index]);
    expect(changed).toEqual([expect.stringContaining(mark)]);
  }
});

test('a runner of test cases leaves out functions and other classes; where tests may be skipped, none is spoiled alone', () => {
  expect(spoil(several, 7, how).tests.map(({ name }) => name)).toEqual(['test_two']);
  expect(spoil(several, 7, { ...how, skipsTests: true }).tests).toEqual([]);
});

test('what is expected stays a number or a string, so that work that reads it finds the other value', () => {
  const content = `def test_kinds():
    assert f() == -3
    assert f() == 2.5
    assert f() == r'a'
    assert f() == 'a' 'b'
    assert f() == [1]
    assert f() == 12345678901234567890
`;
  expect(spoilPython(content, 70)).toBe(`def test_kinds():
    assert f() == 67
    assert f() == 72.5
    assert f() == r'a70'
    assert f() == ('a' 'b', 70)
    assert f() == ([1], 70)
    assert f() == 12345678901234567960
`);
});
