import { expect, test } from '@jest/globals';
import { OutputCollector, parseReport, shownBytes } from '../../sandbox/command-report.ts';

function report(line: string, output: Buffer | string = ''): Buffer {
  return Buffer.concat([Buffer.from(`${line}\n`), Buffer.from(output)]);
}

test('output cut in the middle of a character shows whole characters and counts the rest as left out', () => {
  const euro = Buffer.from('€€€');
  const parsed = parseReport(
    report('longhaul ran exited 0 5 100 4 5', Buffer.concat([euro.subarray(0, 4), euro.subarray(4)])),
  );
  expect(parsed).toMatchObject({
    kind: 'result',
    output: { text: '€\n[... 94 bytes omitted ...]\n€', totalBytes: 100, truncated: true },
  });
});

test('output cut exactly between characters loses none', () => {
  const parsed = parseReport(report('longhaul ran exited 0 5 100 6 3', '€€€'));
  expect(parsed).toMatchObject({ output: { text: '€€\n[... 91 bytes omitted ...]\n€' } });
});

test('output that cannot be text is cut all the same', () => {
  const parsed = parseReport(report('longhaul ran exited 0 5 100 4 4', Buffer.alloc(8, 0x80)));
  expect(parsed).toMatchObject({ output: { truncated: true } });
});

test('a keeper that died before its report leaves none', () => {
  expect(parseReport(Buffer.from(''))).toBeUndefined();
  expect(parseReport(Buffer.from('longhaul ran exi'))).toBeUndefined();
  expect(parseReport(report('something else'))).toBeUndefined();
});

test('an interrupted command has no exit code', () => {
  expect(parseReport(report('longhaul attached interrupted - 1500 3 3 0 ', 'abc'))).toEqual({
    kind: 'result',
    attached: true,
    outcome: 'interrupted',
    exitCode: null,
    durationMs: 1500,
    output: { text: 'abc', totalBytes: 3, truncated: false },
  });
});

test('a collected output is kept whole up to the limit, and beyond it without its middle', () => {
  const { head, tail } = shownBytes;
  for (const more of [0, 1, 100_000]) {
    const collector = new OutputCollector();
    const all = Buffer.concat([Buffer.alloc(head, 'a'), Buffer.alloc(more, 'b'), Buffer.alloc(tail, 'c')]);
    for (let at = 0; at < all.length; at += 1_000) collector.add(all.subarray(at, at + 1_000));
    const { text, totalBytes, truncated } = collector.result();
    expect({ totalBytes, truncated }).toEqual({ totalBytes: all.length, truncated: more > 0 });
    expect(text).toBe(
      more === 0 ? all.toString() : `${'a'.repeat(head)}\n[... ${more} bytes omitted ...]\n${'c'.repeat(tail)}`,
    );
  }
});
