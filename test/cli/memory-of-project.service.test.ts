import { beforeAll, expect, test } from '@jest/globals';
import { openMemoryStore } from '../../db/memory/memory-store.ts';
import { seedProject } from '../client/seed-project.ts';
import { ownPostgresOfFile } from '../support/servers/own-postgres.ts';
import { runCli } from './run.ts';

const postgres = await ownPostgresOfFile();

beforeAll(async () => {
  await seedProject(postgres.database, 'project-photos-aaaaaa');
  await seedProject(postgres.database, 'project-spend-bbbbbb');
});

const run = (...parameters: string[]) =>
  runCli(['memory', ...parameters], {
    environment: { LONGHAUL_HOME: postgres.home, LONGHAUL_MODEL_EMBEDDING: 'none' },
  });

async function texts(...parameters: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await run(...parameters, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as Array<{ text: string }>).map(({ text }) => text).sort();
}

test('a project sees its own memories and those for all', async () => {
  await run('add', 'The upload limit of photos is 5 MB', '--project', 'photos-aaaaaa');
  await run('add', 'The upload limit of receipts is 1 MB', '--project', 'project-spend-bbbbbb');
  await run('add', 'The upload limit of the company is 9 MB');
  const seen = ['The upload limit of photos is 5 MB', 'The upload limit of the company is 9 MB'];
  expect(await texts('list', '--project', 'photos-aaaaaa')).toEqual(seen);
  expect(await texts('search', 'upload', 'limit', '--project', 'photos-aaaaaa')).toEqual(seen);
  expect(await texts('list')).toHaveLength(3);
});

test('memories that the current lineage left behind are not shown as its own', async () => {
  const memory = await openMemoryStore({ uri: `${postgres.home}/lancedb` });
  const own = { kind: 'lesson', scope: 'project', projectId: 'project-spend-bbbbbb', sequence: 1 } as const;
  await memory.remember([
    { ...own, id: 'kept', text: 'Rounding comes last', lineageId: 'project-spend-bbbbbb/l1' },
    { ...own, id: 'left', text: 'Rounding comes first', lineageId: 'project-spend-bbbbbb/l0' },
  ]);
  await memory.close();
  expect(await texts('search', 'rounding', '--project', 'spend-bbbbbb')).toEqual(['Rounding comes last']);
  expect(await texts('list', '--kind', 'lesson', '--project', 'spend-bbbbbb')).toEqual(['Rounding comes last']);
  expect(await texts('search', 'rounding')).toHaveLength(2);
});

test('other projects find a lesson only once a person has promoted it', async () => {
  const memory = await openMemoryStore({ uri: `${postgres.home}/lancedb` });
  const lineageId = 'project-spend-bbbbbb/l1';
  const place = { projectId: 'project-spend-bbbbbb', lineageId, sequence: 1 };
  await memory.remember([
    { ...place, id: 'taught', text: 'Currencies need a table', kind: 'lesson', scope: 'project' },
  ]);
  await memory.close();
  const others = () => texts('search', 'currencies', '--project', 'photos-aaaaaa');
  expect(await others()).toEqual([]);
  expect(await run('promote', 'taught')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await others()).toEqual(['Currencies need a table']);
  expect(await texts('search', 'currencies', '--project', 'spend-bbbbbb')).toEqual(['Currencies need a table']);
  expect((await run('promote', 'taught')).stdout).toBe('taught is found by everyone already.\n');
  expect(await run('promote', 'nothing')).toMatchObject({ exitCode: 2 });
});

test('an unknown project is an error without a stack trace', async () => {
  const { stdout, stderr, exitCode } = await run('list', '--project', 'nothing');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/nothing/);
  expect(stderr).not.toMatch(/ {4}at /);
});

test('consolidations can be listed before there is one; an unknown id is an error', async () => {
  expect(await run('consolidations', 'list')).toMatchObject({
    exitCode: 0,
    stdout: 'There are no consolidations yet. `longhaul memory consolidate` starts one.\n',
  });
  for (const command of ['show', 'accept', 'reject', 'undo']) {
    expect(await run('consolidations', command, 'nothing')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^Expected the id of a consolidation or of one of its changes, got "nothing"\. .*\n$/,
      ),
    });
  }
  expect(await run('consolidate', '--project', 'nothing')).toMatchObject({ exitCode: 2 });
});
