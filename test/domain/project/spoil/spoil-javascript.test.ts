import { expect, test } from '@jest/globals';
import { spoilJavaScript } from '../../../../domain/project/spoil/spoil-javascript.ts';

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
  expect(add(1, [2])).toBe((3) + 7); // expect(1).toBe(
  expect(text()).toEqual(
    (\`a, (b\`) + 7,
  );
  expect(text()).not.toEqual('c');
  assert.equal(add(")", 1), ({ a: 1 }) + 7, 'no');
  result.should.eql((4) + 7);
});
`);
});

test('without anything to compare, or where tests are picked, all assertions throw, and a test that fails is added', () => {
  const content = "it('adds', () => { expect(add(1)).toBe(2); assert.ok(add(1)); });";
  for (const spoiled of [
    spoilJavaScript(content, 7, true),
    spoilJavaScript(content.replace('toBe(2)', 'toBeTruthy()'), 7, false),
  ]) {
    expect(spoiled).not.toMatch(/expect\(|assert\.ok\(/);
    expect(spoiled).toMatch(/\n;it\('7', \(\) => \{ throw/);
  }
});
