import { expect, test } from '@jest/globals';
import { spoilJavaScript as spoil } from '../../../../domain/project/spoil/spoil-javascript.ts';

const all = { picksTests: false, skipsTests: false };
const spoilJavaScript = (content: string, number: number, picksTests: boolean) =>
  spoil(content, number, { ...all, picksTests })?.content;

test('what a test compares is compared with something else', () => {
  const content = `test('adds', () => {
  expect(add(1, [2])).toBe(3); // expect(1).toBe(
  expect(text()).toEqual(
    \`a, (b\`,
  );
  expect(text()).not.toEqual('c');
  assert.equal(add(")", 1), { a: 1 }, 'no');
  result.should.eql(4);
});
`;
  expect(spoilJavaScript(content, 7, false)).toBe(`test('adds', () => {
  expect(add(1, [2])).toBe(10); // expect(1).toBe(
  expect(text()).toEqual(
    \`a, (b7\`,
  );
  expect(text()).not.toEqual('c');
  assert.equal(add(")", 1), ({ a: 1 }) + 7, 'no');
  result.should.eql(11);
});
`);
});

test('without anything to compare, or where tests are picked, all assertions throw, and a test that fails is added', () => {
  const content = "it('adds', () => { expect(add(1)).toBe(2); assert.ok(add(1)); });";
  for (const spoiled of [
    spoilJavaScript(content, 7, true),
    spoilJavaScript('expect(add(1)).toBeTruthy(); it("adds", check);', 7, false),
  ]) {
    expect(spoiled).not.toMatch(/expect\(|assert\.ok\(/);
    expect(spoiled).toMatch(/\n;it\('7', \(\) => \{ throw/);
  }
});

test('each test is also spoiled alone; one without a comparison of its own throws', () => {
  const content = `describe('sums', () => {
  it('adds', async () => { expect(add(1)).toBe(2); });
  it('fails', function (done) { expect(add).toThrow(); });
  it('adds many', (t) => {
    for (const one of []) assert.equal(one, 'a');
  });
  it('is', is);
});
`;
  const { tests = [], content: spoiled = '' } = spoil(content, 7, all) ?? {};
  expect(tests.map(({ name, marks }) => [name, marks])).toEqual([
    ["'adds'", ['9']],
    ["'fails'", ['7926']],
    ["'adds many'", ['15845', '15845']],
  ]);
  expect(spoiled).toContain("it('fails', function (done) { throw new Error('7926'); expect(add).toThrow(); });");
  expect(spoiled).toContain("it('adds many', (t) => { throw new Error('15845');");
  expect(spoil(content, 7, { ...all, skipsTests: true })).toEqual({ content: spoiled, tests: [] });
  expect(tests[1]?.content).toContain("it('adds', async () => { expect(add(1)).toBe(2); });");
});
