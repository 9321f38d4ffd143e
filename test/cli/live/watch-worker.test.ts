import { expect, test } from '@jest/globals';
import { watchWorker } from '../../../cli/live/watch-worker.ts';

/** The notes while the worker is gone at these looks. */
async function notesOf(gone: boolean[], isQuiet: boolean): Promise<string[]> {
  const notes: string[] = [];
  const over = new AbortController();
  const looks = gone.values();
  setTimeout(() => over.abort(), 200).unref();
  await watchWorker({
    signal: over.signal,
    isQuiet: () => isQuiet,
    async isWorkerGone() {
      const { value = false } = looks.next();
      return value;
    },
    note: (text) => notes.push(text),
    pause: 1,
  });
  return notes;
}

test('a project without a worker would look as if it were at work', async () => {
  expect(await notesOf([false, true, true, false, false], true)).toEqual([
    'No worker runs, so nothing goes on: `longhaul ps` shows the stack, `longhaul up -d` starts it.',
    'The worker runs again.',
  ]);
});

test('a project whose events come would be said to have no worker', async () => {
  expect(await notesOf([true, true], false)).toEqual([]);
});
