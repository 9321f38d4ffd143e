import { expect, test } from '@jest/globals';
import { watchStandstill } from '../../../cli/live/watch-standstill.ts';

/** The notes while these reasons are found, one a look. */
async function notesOf(reasons: Array<string | undefined>, isQuiet: boolean): Promise<string[]> {
  const notes: string[] = [];
  const over = new AbortController();
  const looks = reasons.values();
  setTimeout(() => over.abort(), 200).unref();
  await watchStandstill({
    signal: over.signal,
    isQuiet: () => isQuiet,
    findReason: async () => looks.next().value,
    note: (text) => notes.push(text),
    pause: 1,
  });
  return notes;
}

test('the reason for a standstill is noted once, and so is its end', async () => {
  const reasons = [undefined, 'No worker runs.', 'No worker runs.', 'A bug.', undefined, undefined];
  expect(await notesOf(reasons, true)).toEqual(['No worker runs.', 'A bug.', 'The project continues.']);
});

test('nothing is checked while events come', async () => {
  expect(await notesOf(['No worker runs.'], false)).toEqual([]);
});
