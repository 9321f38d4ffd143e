import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { identifyProcess, startTime } from '../../config/process-identity.ts';
import { pretendMacOs } from '../setup/pretend-mac-os.ts';

let mac: ReturnType<typeof pretendMacOs>;
beforeEach(() => {
  mac = pretendMacOs();
});
afterEach(() => mac.end());

test('a process has the same identity in any language and time zone', () => {
  mac.ps('echo "S $LC_ALL $TZ"');
  expect(identifyProcess(process.pid)).toEqual({ pid: process.pid, startMark: 'C UTC' });
});

test("a process's start is independent of the time zone", () => {
  mac.ps('echo "Ss   Mon Nov 23 08:05:45 2026"');
  const identity = identifyProcess(process.pid);
  expect(identity && startTime(identity)).toBe(Date.UTC(2026, 10, 23, 8, 5, 45));
});

test('a zombie and an unused pid do not count as running', () => {
  mac.ps('echo "Z+   Mon Nov 23 08:05:45 2026"');
  expect(identifyProcess(process.pid)).toBeUndefined();
  mac.ps('exit 1');
  expect(identifyProcess(process.pid)).toBeUndefined();
});
