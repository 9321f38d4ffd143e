import { expect, test } from '@jest/globals';
import { spoilPython } from '../../../../domain/project/spoil/spoil-python.ts';

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
        self.assertEqual(add(2, (3)), (5, 7), "a, b")  # 2 == 3
        assert add("(", 1) == ({"a": 1}, 7), 'no'

    @mark
    async def test_deep(
        self,
    ):
        for one in [1]:
            self.assertEqual(one, (1, 7))
        self.assertEqual(
            one,
            ("""
a == b
""", 7),
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
        assert f() == (1, 7)

def test_two():
    assert 7 == 8
    # nothing is compared
    with raises(ValueError):
        f()
    assert 1 < 2 == True
    assert a == b or c

def test_three():
    assert f() == (\\
        1, 7)  # one (
    assert g() == (2, 7)  # two
`);
});

test('a file without tests fails before the line that runs it', () => {
  expect(spoilPython("import a\n\nif __name__ == '__main__':\n    a.main()\n", 7)).toBe(
    "import a\n\nassert 7 == 8\nif __name__ == '__main__':\n    a.main()\n",
  );
  expect(spoilPython('assert a.f() == 1', 7)).toBe('assert a.f() == 1\nassert 7 == 8\n');
  expect(spoilPython('def test_a(): assert f() == 1', 7)).toBe('def test_a(): assert f() == 1\nassert 7 == 8\n');
});
