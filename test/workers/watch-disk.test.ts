import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { SandboxError } from '../../sandbox/errors.ts';
import { watchDisk } from '../../workers/watch-disk.ts';

test('the watch goes on after trouble of any kind, says what it stopped, and ends with its worker', async () => {
  const warned: string[] = [];
  const answers = [
    () => Promise.reject(new SandboxError('HostUnavailable', 'away')),
    () => Promise.reject(new Error('unreadable')),
    () => Promise.resolve(['Sandbox a was stopped.']),
  ];
  let calls = 0;
  const ended = new AbortController();
  const watching = watchDisk(
    {
      enforceQuota() {
        calls += 1;
        return (answers.shift() ?? (() => Promise.resolve([])))();
      },
    },
    { warn: (message) => warned.push(message) },
    ended.signal,
    { usual: 1, afterTrouble: 2 },
  );
  while (calls < 5) await delay(1);
  expect(warned).toEqual(['Could not measure the disk of sandboxes.', 'Sandbox a was stopped.']);
  ended.abort();
  await watching;
});
