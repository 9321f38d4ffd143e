import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMadeEmbedder } from '../../../bench/memory/made-memories.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { createRandom } from '../../support/random.ts';

const seed = Number(process.env.LONGHAUL_TEST_SEED ?? 5);
/** Each kill costs at least half a second of processor time, since a new process has to start. */
const kills = Number(process.env.LONGHAUL_TEST_KILLS ?? 8);
const names = ['a', 'b', 'c', 'd'];

type Process = ChildProcessByStdio<Writable, Readable, null>;

interface Writer {
  name: string;
  process: Process;
  /** All numbers below it are reported as written; the one at it may be. */
  next: number;
}

let uri: string;
beforeAll(async () => {
  uri = await mkdtemp(join(tmpdir(), 'longhaul-crash-'));
});
afterAll(() => rm(uri, { recursive: true, force: true }));

test(`a table that four processes write to survives SIGKILL and loses nothing (seed ${seed})`, async () => {
  const random = createRandom(seed);
  let left = kills;
  const writers = names.map((name) => setToWork(startProcess(), name, 0));
  // One for each kill, four of them at a time.
  const spares = names.map(startProcess);
  let unmade = kills - spares.length;
  const start = (name: string, first: number) => {
    if (unmade-- > 0) spares.push(startProcess());
    return setToWork(spares.shift() as Process, name, first);
  };

  /** Kills one of the four again and again, at any point of its writes, while the others are writing or are killed too. */
  async function killAgain(index: number): Promise<void> {
    while (left > 0) {
      left -= 1;
      const checks = left % 8 === 4;
      const writer = writers[index] as Writer;
      const since = writer.next;
      while (writer.next === since && writer.process.exitCode === null) await sleep(5); // wait until it writes
      await sleep(random() * 80);
      writer.process.kill('SIGKILL');
      if (writer.process.exitCode === null && writer.process.signalCode === null) await once(writer.process, 'close');
      expect(writer.process.signalCode).toBe('SIGKILL'); // else it had failed by itself
      writers[index] = start(writer.name, writer.next);
      if (checks) await expectWhole(writers);
    }
  }

  await Promise.all(names.map((_, index) => killAgain(index)));
  for (const process of [...writers.map((writer) => writer.process), ...spares]) {
    process.kill('SIGKILL');
    await once(process, 'close');
  }
  await expectWhole(writers);
}, 1_800_000);

/** Starts a process ahead of its use, since it takes a second to get ready. */
function startProcess(): Process {
  const script = join(packageRoot(), 'test', 'support', 'memory', 'memory-writer.mjs');
  return spawn(process.execPath, [script, uri], { stdio: ['pipe', 'pipe', 'inherit'] });
}

function setToWork(child: Process, name: string, first: number): Writer {
  child.stdin.on('error', () => {}); // it was killed before it read
  child.stdin.write(`${name} ${first}\n`);
  const writer: Writer = { name, process: child, next: first };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) writer.next = Number(line) + 1;
  });
  return writer;
}

/** Expects that everything reported as written exists once, and that the latest memory of each writer is found by word and by vector. */
async function expectWhole(writers: Writer[]): Promise<void> {
  const said = writers.map(({ name, next }) => ({ name, next }));
  const store = await openMemoryStore({ uri, embedder: createMadeEmbedder(16) });
  try {
    const ids = (await store.list({ scope: 'everything' })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, next } of said) {
      const missing = Array.from({ length: next }, (_, number) => `${name}-${number}`).filter(
        (id) => !ids.includes(id),
      );
      expect(missing).toEqual([]);
      if (next === 0) continue;
      const query = `memory ${name}-${next - 1} of writer${name}`;
      const found = await store.search({ query, scope: {}, limit: 5 });
      expect(found[0]).toMatchObject({ id: `${name}-${next - 1}`, why: 'both' });
    }
  } finally {
    await store.close();
  }
}
