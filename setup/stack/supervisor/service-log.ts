import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes. At a start, a log larger than this is put aside; one predecessor is kept. */
const largestLog = 10_000_000;
const pollMs = 30;

/** Reads what one start of a service wrote to its log. */
export interface LogReader {
  /** Resolves with the first value that the function returns for a line written since this start. */
  find<Value>(match: (line: string) => Value | undefined, signal: AbortSignal): Promise<Value>;
}

/** Opens a log for appending; the service writes to the file itself, so that logging continues if its supervisor is killed. */
export function openServiceLog(path: string): { descriptor: number; reader: LogReader; close(): void } {
  if (existsSync(path) && statSync(path).size > largestLog) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return {
    descriptor,
    reader: createReader(path, fstatSync(descriptor).size),
    close: () => closeSync(descriptor),
  };
}

function createReader(path: string, from: number): LogReader {
  return {
    async find(match, signal) {
      let position = from;
      let rest = '';
      for (;;) {
        const chunk = readFrom(path, position);
        position += chunk.length;
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const value = match(line);
          if (value !== undefined) return value;
        }
        await sleep(pollMs, undefined, { signal });
      }
    },
  };
}

function readFrom(path: string, position: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
  } finally {
    closeSync(file);
  }
}
