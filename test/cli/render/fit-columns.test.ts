import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { fitColumns } from '../../../cli/render/columns.ts';
import { renderProjects, renderSessions } from '../../../cli/render/render-lists.ts';
import { renderMemories } from '../../../cli/render/render-memories.ts';
import { renderStack } from '../../../cli/render/render-stack.ts';
import { renderPrompts } from '../../../cli/settings/prompts.ts';
import type { ProjectRow } from '../../../db/project/project-transaction.ts';

const colors = picocolors.createColors(false);
const at = new Date(0);
const id = 'project-a-haiku-generator-hx8qo0';

const memory = {
  id: `${id}-s1-plan.2.0`,
  kind: 'decision',
  scope: 'project' as const,
  tags: [],
  source: {},
  origin: 'agent' as const,
  importance: 0.5,
  createdAt: at,
  score: 1.03,
  why: 'both' as const,
  text: 'Haiku are made of lists of words by syllables, since a dictionary of sounds would have to be fetched.',
};

test('a list of memories shows their texts', () => {
  const [head = '', ...text] = renderMemories([memory], { colors, width: 80 });
  expect(head).toMatch(/^1\.03 {2}both {2}project-a-haiku-generator-hx8qo0-s1-plan\.2\.0 {2}decision/);
  expect(text).toEqual([
    '    Haiku are made of lists of words by syllables, since a dictionary of sounds',
    '    would have to be fetched.',
  ]);
  for (const line of [head, ...text]) expect(stringWidth(line)).toBeLessThanOrEqual(80);
});

test('a memory is one line in a pipe', () => {
  const [line = '', ...more] = renderMemories([memory], { colors });
  expect(line.endsWith(`  ${memory.text}`)).toBe(true);
  expect(more).toEqual([]);
});

test('a long memory does not fill the list', () => {
  const lines = renderMemories([{ ...memory, text: 'word '.repeat(10_000) }], { colors, width: 80 });
  expect(lines.length).toBeLessThan(8);
  expect(lines.at(-1)).toMatch(/…$/);
});

test('run ids are never cut from the sessions', () => {
  const session = {
    id: `${id}-s1`,
    number: 1,
    feature: 'generate-haiku-from-words',
    attempt: 1,
    status: 'PASSED' as const,
    reason: null,
    commit: 'a'.repeat(40),
    filesChanged: [],
    tokens: 176_900,
    turns: 12,
    startedAt: at,
    endedAt: at,
    runs: ['plan', 'work'].map((name) => ({ id: `${id}-s1-${name}`, role: '', model: '', status: '', turns: 1 })),
  };
  expect(renderSessions([session], { colors, width: 80 })[1]).toBe('    s1-plan s1-work');
});

test("a project's folder is shown whole, to be copied", () => {
  const folder = `/home/someone/${'projects/'.repeat(10)}haiku`;
  const project = { id, status: 'ACTIVE', createdAt: at, name: 'a haiku generator', folder } as ProjectRow;
  expect(renderProjects([project], { colors, width: 80 })[1]).toBe(`    ${folder}`);
});

test('`ps` and `prompts list` fit the terminal', () => {
  const service = { state: 'ready' as const, pid: 1, uptimeMs: 1_000, memoryBytes: 40_000_000, restarts: 0 };
  const url = 'postgres://longhaul@127.0.0.1:41234/longhaul';
  const log = '/home/someone/.longhaul/logs/postgres.log';
  const services = [{ ...service, name: 'postgres' as const, url, log }];
  const stack = { status: 'running' as const, supervisor: 1, services, addresses: {} };
  const [, head, ...below] = renderStack(stack as never, '/home/someone/.longhaul', 60).split('\n');
  expect(head).toBe('postgres  ready  pid 1  1.0 s  40 MB');
  expect(below).toEqual([`    ${url}`, `    ${log}`]);
  const path = '/home/someone/agents/prompts/chat-extract.md';
  const prompts = [{ name: 'chat-extract', roles: [], path, own: false }];
  expect(renderPrompts({ prompts, complaints: [] }, 60)).toBe(`chat-extract\n    shipped  ${path}`);
});

test('a list that fits is not wrapped', () => {
  expect(
    fitColumns(
      [
        ['a', 'b'],
        ['longer', ''],
      ],
      20,
    ),
  ).toEqual(['a       b', 'longer  ']);
});
