import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { lastLineOf, showingOutput } from '../../../activities/tools/show-output.ts';
import type { CallMessage } from '../../../db/bus/answer-messages.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Runs a command that has written these texts at one look after the other, until it has sent as many lines. */
async function linesOf(outputs: string[], { isWatched = true } = {}) {
  const sent: CallMessage[] = [];
  const asked: Array<{ offset: number; limit: number } | undefined> = [];
  const answers = {
    isWatched: () => isWatched,
    sendLine: (_: string, message: CallMessage) => void sent.push(message),
  };
  const sandbox = {
    async readLog(_: string, range: { offset: number; limit: number }) {
      asked.push(range);
      const output = Buffer.from(outputs[Math.min(asked.length, outputs.length) - 1] ?? '');
      const bytes = Readable.from([output.subarray(range.offset, range.offset + range.limit)]);
      return { totalBytes: output.length, bytes };
    },
  };
  const run = { owner: { kind: 'chat', id: 'c' } };
  const result = await showingOutput(
    { answers } as unknown as Parameters<typeof showingOutput>[0],
    sandbox as unknown as Sandbox,
    { id: 'c-r1.1.0', run } as unknown as Parameters<typeof showingOutput>[2],
    async () => {
      if (isWatched) await waitFor('the lines', () => sent.length >= outputs.length);
      else await sleep(50);
      return 'done';
    },
    5,
  );
  expect(result).toBe('done');
  const count = sent.length;
  await sleep(30);
  expect(sent).toHaveLength(count); // nothing is sent of a command that has ended
  return { lines: sent.map(({ line }) => line), asked };
}

test('the last line of a running command is sent, of a long output only its new part is read', async () => {
  const long = 'x'.repeat(79).concat('\n').repeat(100);
  const { lines, asked } = await linesOf(['one\ntwo\n', `one\ntwo\n${long}`, `one\ntwo\n${long}three`]);
  expect(lines.slice(0, 1)).toEqual(['two']);
  expect(lines[2]).toBe('three');
  expect(asked[2]).toEqual({ offset: 8 + long.length - 500, limit: 4_000 });
});

test('nothing is read of a command that nobody watches', async () => {
  expect(await linesOf(['one\n'], { isWatched: false })).toEqual({ lines: [], asked: [] });
});

test.each([
  ['one\ntwo\n\n', 'two'],
  ['10 %\r50 %\r100 %', '100 %'],
  ['\n \n', undefined],
])('the last line with words of %j is %j', (text, line) => {
  expect(lastLineOf(text)).toBe(line);
});
