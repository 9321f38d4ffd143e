import { expect, test } from '@jest/globals';
import { parseReport } from '../../sandbox/command-report.ts';

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
    proof: '',
    kind: 'result',
    attached: true,
    outcome: 'interrupted',
    exitCode: null,
    durationMs: 1500,
    output: { text: 'abc', totalBytes: 3, truncated: false },
  });
});
