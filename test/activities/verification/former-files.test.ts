import { expect, test } from '@jest/globals';
import { readFormerFiles, type SessionWork } from '../../../activities/verification/former-files.ts';
import type { StepResult } from '../../../domain/project/settings.ts';

type Files = Record<string, string>;

/** What counts as it was, where a session turned these files into those. A link has no content. */
async function readFormer(
  before: Files,
  now: Files,
  {
    changed,
    commands = ['make check'],
    allowed = [],
    stepsBefore = [],
  }: {
    stepsBefore?: Array<{ output: string }>;
    changed: SessionWork['changed'];
    commands?: string[];
    allowed?: string[];
  },
) {
  const repository = {
    readText: async (commit: string, path: string) => (commit.endsWith('^') ? before : now)[path],
    listFiles: async () => [
      ...Object.keys(now),
      ...changed.filter(({ change }) => change !== 'deleted').map(({ path }) => path),
    ],
  };
  const verification = { steps: commands.map((command) => ({ command })), protectedPaths: [], sealed: [], allowed };
  const work = { repository, feature: { verification }, commit: 'c', changed };
  const known = { steeringFiles: [], before: stepsBefore as StepResult[] }; // nothing else of it is used
  return readFormerFiles(work as unknown as SessionWork, known);
}

const helper = { 'tests/helpers.py': 'strict\n' };
const restored = [{ path: 'tests/helpers.py', content: 'strict\n' }];

test('a helper that was changed, removed, renamed or replaced by a link is as it was', async () => {
  const path = 'tests/helpers.py';
  const changes: Array<[Files, SessionWork['changed']]> = [
    [{ [path]: 'weak\n' }, [{ path, change: 'modified' }]],
    [{}, [{ path, change: 'deleted' }]],
    [{}, [{ path, change: 'modified' }]],
    [{ 'weak.py': 'weak\n' }, [{ path: 'weak.py', change: 'renamed', previousPath: path }]],
  ];
  for (const [now, changed] of changes)
    expect(await readFormer(helper, now, { changed })).toEqual({ steering: restored, tests: [] });
  expect(await readFormer(helper, {}, { changed: [{ path, change: 'deleted' }], allowed: [path] })).toEqual({
    steering: [],
    tests: [],
  });
});

test('where a folder became a file or a link, that goes', async () => {
  const changed: SessionWork['changed'] = [
    { path: 'tests/helpers.py', change: 'deleted' },
    { path: 'tests', change: 'added' },
  ];
  expect((await readFormer(helper, {}, { changed })).steering).toEqual([{ path: 'tests', content: null }, ...restored]);
});

test('an added file goes that keeps one from being used that was there; others stay', async () => {
  const before = {
    ...helper,
    Makefile: 'check:\n\tsh check.sh\n',
    'pyproject.toml': '[tool.pytest.ini_options]\n',
    'sums.py': '',
  };
  const added = ['tests/helpers/__init__.py', 'GNUmakefile', 'pytest.ini', 'sums/__init__.py', 'setup.cfg'];
  const changed = added.map((path) => ({ path, change: 'added' as const }));
  const goes = (paths: string[]) => paths.map((path) => ({ path, content: null }));
  expect(await readFormer(before, before, { changed })).toEqual({
    steering: goes(['tests/helpers/__init__.py', 'GNUmakefile', 'pytest.ini']),
    tests: goes(['tests/helpers/__init__.py']),
  });
  // The makefile that was there does not have the target.
  expect((await readFormer(before, before, { changed, commands: ['make verify'] })).steering).toEqual(
    goes(['tests/helpers/__init__.py', 'pytest.ini']),
  );
});

test('an added file goes that a makefile takes over where it is there', async () => {
  const changed: SessionWork['changed'] = [{ path: 'local.mk', change: 'added' }];
  const steering = async (makefile: string) => {
    const before = { Makefile: `${makefile}\ncheck:\n\tsh check.sh\n` };
    return (await readFormer(before, { ...before, 'local.mk': 'SHELL = true\n' }, { changed })).steering;
  };
  expect(await steering('-include local.mk')).toEqual([{ path: 'local.mk', content: null }]);
  expect(await steering('include local.mk')).toEqual([]); // nothing runs without it
});

test('a conftest.py goes that defines again what one above it does', async () => {
  const fixture = 'def strict(): return 1\n';
  const steering = async (added: string) => {
    const now = { 'conftest.py': fixture, 'tests/conftest.py': added };
    const changed: SessionWork['changed'] = [{ path: 'tests/conftest.py', change: 'added' }];
    return (await readFormer({ 'conftest.py': fixture }, now, { changed })).steering;
  };
  expect(await steering(fixture)).toEqual([{ path: 'tests/conftest.py', content: null }]);
  expect(await steering('def other(): return 1\n')).toEqual([]);
});

test('a check that a step names counts as it was, also where it is not protected', async () => {
  const path = 'tests/test_sums.py';
  const changed: SessionWork['changed'] = [{ path, change: 'modified' }];
  const steering = async (command: string) =>
    (await readFormer({ [path]: 'strict\n' }, { [path]: 'weak\n' }, { changed, commands: [command] })).steering;
  const strict = [{ path, content: 'strict\n' }];
  expect(await steering('python3 -m pytest tests/test_sums.py')).toEqual(strict);
  expect(await steering('python3 -m unittest tests.test_sums')).toEqual(strict);
  expect(await steering('cd tests && python3 test_sums.py')).toEqual(strict);
  expect(await steering('python3 -m pytest tests')).toEqual([]);
  const stepsBefore = [{ output: 'ERROR tests/test_sums.py\n1 error in 0.1s\n' }];
  const files: [Files, Files] = [{ [path]: 'strict\n' }, {}];
  expect((await readFormer(...files, { changed, stepsBefore })).steering).toEqual(strict);
});

test('of tests, what was changed or removed is as it was, and what was added goes', async () => {
  const changed: SessionWork['changed'] = [
    { path: 'tests/test_old.py', change: 'deleted' },
    { path: 'tests/test_new.py', change: 'added' },
  ];
  expect(await readFormer({ 'tests/test_old.py': 'old\n' }, {}, { changed })).toEqual({
    steering: [],
    tests: [
      { path: 'tests/test_old.py', content: 'old\n' },
      { path: 'tests/test_new.py', content: null },
    ],
  });
});
