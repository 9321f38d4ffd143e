import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { changesOf } from '../../../cli/agents/changes-of.ts';
import { waitFor } from '../../support/wait-for.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-changes-'));
  mkdirSync(join(folder, 'tools'));
  mkdirSync(join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('several writes are one change, also those during the run that follows; what is installed is none', async () => {
  const stopped = new AbortController();
  let runs = 0;
  /** Ends the run that is under way. */
  let end = () => {};
  const watching = (async () => {
    for await (const _change of changesOf(folder, stopped.signal)) {
      runs += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    }
  })();
  const write = (name: string) => writeFileSync(join(folder, name), `${performance.now()}`);
  const runsAre = (count: number) => waitFor(`run ${count}`, () => runs === count);
  await runsAre(1);
  for (let step = 0; step < 3; step += 1) write('agent.ts');
  end();
  await runsAre(2);
  for (let step = 0; step < 3; step += 1) write(join('tools', 'wind.ts'));
  await sleep(300); // the events of these writes arrive during the run
  end();
  await runsAre(3);
  end();
  write(join('node_modules', 'a.js'));
  await sleep(1_000);
  expect(runs).toBe(3);
  stopped.abort();
  await watching;
});
