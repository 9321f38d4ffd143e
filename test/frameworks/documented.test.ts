import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import { loadAgent } from '../../runtime/load-agent.ts';
import { calls, memoryRun } from '../support/work/memory-run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-documented-'));
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(packageRoot(), 'docs', 'frameworks.md'), 'utf8');
const agents = [...page.matchAll(/```ts\n(.*?)```/gs)]
  .map(([, code]) => code ?? '')
  .filter((code) => code.includes('defineAgent'));

test.each(agents.map((code) => [/from '(longhaul\/.*?)'/.exec(code)?.[1] ?? '', code]))(
  'the agent that docs/frameworks.md shows for %s answers',
  async (entry, code) => {
    const file = join(folder, `${entry.replaceAll('/', '-')}.ts`);
    writeFileSync(file, code);
    const agent = await loadAgent(file);
    const run = memoryRun([calls('wind'), { text: 'Stay inside.' }]);
    expect(await agent.run?.(run.context())).toEqual({ finalOutput: 'Stay inside.' });
    expect(run.asked[0]?.messages.at(-1)?.content).toBe('Hello');
    expect(run.asked[1]?.messages.at(-1)?.content).toBe('storm in Oslo');
  },
);

test('both entries are shown', () => {
  expect(agents).toHaveLength(2);
});
