import { expect, test } from '@jest/globals';
import { environmentVariables, readConfiguration } from '../../config/configuration.ts';

test('an empty variable, as `export NAME=` and container files leave it, counts as unset', () => {
  for (const empty of ['', ' '])
    expect(readConfiguration(Object.fromEntries(environmentVariables.map((name) => [name, empty])))).toEqual(
      readConfiguration({}),
    );
});

test.each([
  ['LONGHAUL_MODEL_HEADERS', 'expected one of "on"|"off", got "maybe"'],
  ['LONGHAUL_OPENAI_API', 'expected one of "chat"|"responses", got "maybe"'],
  ['LONGHAUL_REASONING_EFFORT', 'expected one of "low"|"medium"|"high", got "maybe"'],
])('%s refuses an unknown value', (name, complaint) => {
  expect(() => readConfiguration({ [name]: 'maybe' })).toThrow(complaint);
});

const folderFor = (value: string) =>
  readConfiguration({ LONGHAUL_HOME: '/data', LONGHAUL_RECORD: value }).model.recordTo;

test('exchanges are recorded only on request, in the folder named', () => {
  expect(['', '0', '1', '/tmp/mine'].map(folderFor)).toEqual([undefined, undefined, '/data/recordings', '/tmp/mine']);
});

test('a word other than 1 or 0 is refused rather than taken as a folder', () => {
  expect(() => folderFor('yes')).toThrow(
    'LONGHAUL_RECORD: expected 1, 0 or the path of a folder, such as ./recordings, got "yes"',
  );
});

test('limits and isolation of sandboxes have defaults, and a path of theirs counts from the settings file', () => {
  expect(readConfiguration({}).sandbox).toEqual({
    disk: { bytes: 10 * 1024 ** 3, files: 1_000_000 },
    isolation: {},
    registries: [],
  });
  const sandbox = { diskGigabytes: 2.5, files: 50_000, runtime: 'runsc', seccomp: 'profiles/strict.json' };
  expect(readConfiguration({}, { path: '/etc/longhaul/longhaul.config.ts', config: { sandbox } }).sandbox).toEqual({
    disk: { bytes: 2.5 * 1024 ** 3, files: 50_000 },
    isolation: { runtime: 'runsc', seccomp: '/etc/longhaul/profiles/strict.json' },
    registries: [],
  });
});

test('the projects folder always is a root of projects, and paths of others count from the settings file', () => {
  const file = { path: '/data/longhaul.config.ts', config: { projectRoots: ['work', '/srv/projects'] } };
  expect(readConfiguration({ LONGHAUL_HOME: '/data' }, file).projects).toMatchObject({
    folder: '/data/projects',
    roots: ['/data/projects', '/data/work', '/srv/projects'],
  });
});
