import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import type { ScriptedCommand } from '../../../testing/index.ts';
import { untilAnswered, untilCommitted } from '../../support/stack/moments.ts';
import { call, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCases,
  toldTo,
  untilCompleted,
} from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const cases = {
  regression: {
    features: [
      { name: 'older' },
      { name: 'breaking', work: [call('write_file', { path: 'older.txt', content: 'broken\n' }), writes('breaking')] },
    ],
  },
  visited: {
    changes: { smoke_check: 'git status --short' },
    features: [
      {
        name: 'visited',
        work: [
          {
            ...call('run_command', { command: 'sleep 10' }),
            expect: ['- Smoke check (`git status --short`): passed.'],
          },
          writes('visited'),
        ],
        command: 'sleep 10; grep -qx visited visited.txt',
      },
    ],
  },
  watched: {
    features: [
      { name: 'slow', command: 'sleep 8; grep -qx slow slow.txt' },
      { name: 'slower', command: 'sleep 8; grep -qx slower slower.txt' },
      { name: 'latest' },
    ],
  },
  done: { changes: { setup_script: 'echo prepared' }, features: [{ name: 'done', command: 'true' }] },
  contested: {
    changes: { files: [{ path: 'shared.txt', content: 'original\n' }] },
    features: [
      {
        name: 'contested',
        attempts: [
          [
            call('write_file', { path: 'shared.txt', content: 'the agent\n' }),
            call('run_command', { command: 'sleep 10' }),
            writes('contested'),
          ],
          [{ ...writes('contested'), expect: ['The same lines were changed meanwhile in shared.txt'] }],
        ],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

// For the project that takes an existing repository; all others bring their features.
const initializer = {
  role: 'initializer',
  turns: [
    { calls: [{ tool: 'list_files' }, { tool: 'git_log' }], expect: ['It already has files'] },
    { ...call('read_file', { path: 'README.md' }), expect: ['README.md', 'Begin the letters'] },
    {
      ...call('propose_project', { ...proposal([{ name: 'taken', command: 'test -f README.md -a -f taken.txt' }]) }),
      expect: ['# Letters'],
    },
  ],
};
const takenFeature = scriptOf({ taken: { features: [{ name: 'taken' }] } });

let stack: ServiceStack;
let started: Record<keyof typeof cases, StartedProject>;
/** What a person does meanwhile; started in beforeAll, so that it comes in time whichever test runs first. */
let visit: Promise<void>;
let contest: Promise<void>;
let pausedLookBack: Promise<string[]>;

beforeAll(async () => {
  const entries = [initializer, ...takenFeature.entries, ...scriptOf(cases).entries];
  const commands = [
    { match: 'git status --short', result: {} },
    { match: 'git --no-pager log', result: { output: '1234567 2026-01-01 Begin the letters\n' } },
    {
      match: 'test -f README.md -a -f taken.txt',
      result: ({ workspace }: ScriptedCommand) => ({
        exitCode: ['README.md', 'taken.txt'].every((file) => existsSync(join(workspace, file))) ? 0 : 1,
      }),
    },
  ];
  stack = await startServiceStack({ script: { entries }, commands });
  started = await startCases(stack, cases);
  visit = visitTwice(started.visited);
  contest = changeTheSameLines(started.contested);
  pausedLookBack = pauseLookBack(started.watched);
  for (const person of [visit, contest, pausedLookBack]) person.catch(() => {}); // the tests await them
});
afterAll(() => stack?.stop());

const completed = (name: keyof typeof cases, sessions: string[]) => expectCompleted(started[name], sessions);

async function visitTwice({ project, folder }: StartedProject): Promise<void> {
  await untilAnswered(project, 's1-work', 1);
  writeFileSync(join(folder, 'mine.txt'), 'while it worked\n');
  await untilCommitted(project, folder, 's1', 2);
  writeFileSync(join(folder, 'mine.txt'), 'while it was verified\n');
}

async function changeTheSameLines({ project, folder }: StartedProject): Promise<void> {
  await untilAnswered(project, 's1-work', 2);
  writeFileSync(join(folder, 'shared.txt'), 'a person\n');
}

/** Pauses during the look back at earlier features; returns the features verified again by then, in order. */
async function pauseLookBack({ project }: StartedProject): Promise<string[]> {
  await waitFor('the last feature to be verified', async () =>
    (await project.log()).some(
      ({ data }) => data.type === 'verification-completed' && data.feature === 'latest' && data.purpose === 'session',
    ),
  );
  await project.pause();
  await waitFor(
    'the sandboxes to stop',
    async () => !(await stack.sandboxesOf(project.id)).some(({ running }) => running),
  );
  return lookedBackAt(project);
}

async function lookedBackAt(project: ProjectHandle): Promise<string[]> {
  return (await project.log()).flatMap(({ data }) =>
    data.type === 'verification-completed' && data.purpose === 'regression' ? [data.feature] : [],
  );
}

test('a change that a person makes while a session works or is verified is kept as theirs and verified with the work', async () => {
  await visit;
  const { project, folder, git } = await completed('visited', ['visited 1 PASSED']);
  expect(git('log', '--reverse', '--format=%s').split('\n')).toEqual([
    expect.stringMatching(/^Plan: /),
    expect.not.stringMatching(/^visited: /),
    expect.not.stringMatching(/^visited: /),
    'visited: Done.',
  ]);
  expect(git('show', 'HEAD~2:mine.txt')).toBe('while it worked');
  expect(git('show', '--stat=200', '--format=', 'HEAD')).toMatch(/^visited\.txt .*\n 1 file changed/);
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('while it was verified\n');
  const verified = (await project.log()).flatMap(({ data }) =>
    data.type === 'verification-completed' && data.purpose !== 'base' ? [data.commit] : [],
  );
  expect(verified).toEqual([expect.any(String), expect.any(String), git('rev-parse', 'HEAD')]);
});

test("a person's change to the same lines stays, and the attempt does not pass", async () => {
  await contest;
  const { project, folder, git } = await completed('contested', ['contested 1 FAILED', 'contested 2 PASSED']);
  expect((await project.sessions())[0]?.reason).toContain('in shared.txt. Those changes stay');
  expect(readFileSync(join(folder, 'shared.txt'), 'utf8')).toBe('a person\n');
  expect(git('show', 'HEAD:shared.txt')).toBe('a person');
});

test('work that breaks an earlier feature makes that FAILING with the commit, and a later session repairs it', async () => {
  const { project } = await completed('regression', ['older 1 PASSED', 'breaking 1 PASSED', 'older 2 PASSED']);
  const commit = (await project.sessions())[1]?.commit?.slice(0, 8);
  const changes = (await project.log()).flatMap(({ data }) =>
    data.type === 'feature-changed' && data.feature === 'older' ? [`${data.status} ${data.reason ?? ''}`] : [],
  );
  expect(changes).toContainEqual(expect.stringMatching(new RegExp(`^FAILING Broken by commit ${commit}\\. .*failed`)));
  const [, task] = await toldTo(project, 's3-plan');
  expect(task).toContain(`A later commit: The feature passed until commit ${commit}`);
});

test("a person's own features with a dependency cycle are refused before anything is made", async () => {
  const folder = join(stack.home, 'projects', 'circle');
  const features = proposal([
    { name: 'hen', dependencies: ['egg'] },
    { name: 'egg', dependencies: ['hen'] },
  ]);
  await expect(stack.longhaul.startProject({ goal: 'Which was first?', folder, features })).rejects.toThrow(
    /cannot be used:\n {2}features: the dependencies form a cycle: hen -> egg -> hen/,
  );
  expect((await stack.longhaul.listProjects()).map(({ goal }) => goal)).not.toContain('Which was first?');
});

test('an existing repository is read before it is planned for, and keeps its history and what was not committed', async () => {
  const folder = join(stack.home, 'projects', 'letters');
  const git = gitIn(folder);
  mkdirSync(folder, { recursive: true });
  git('init', '--quiet', '--initial-branch=trunk');
  writeFileSync(join(folder, 'README.md'), '# Letters\n');
  git('add', '.');
  git(
    '-c',
    'user.name=A Person',
    '-c',
    'user.email=person@example.org',
    'commit',
    '--quiet',
    '-m',
    'Begin the letters',
  );
  writeFileSync(join(folder, 'draft.md'), 'Dear\n');
  const project = await stack.longhaul.startProject({ goal: 'One more letter.', folder });
  await untilCompleted(project);
  const told = (await toldTo(project, 'init')).slice(2);
  expect(told).toEqual([
    expect.stringContaining('README.md'),
    expect.stringContaining('Begin the letters'),
    expect.stringContaining('# Letters'),
    expect.any(String),
  ]);
  expect(git('branch', '--show-current')).toBe('trunk');
  expect(git('log', '--reverse', '--format=%an: %s').split('\n')).toEqual([
    'A Person: Begin the letters',
    expect.stringMatching(/: /),
    expect.stringMatching(/: Plan: /),
    expect.stringMatching(/: taken: /),
  ]);
  expect(git('show', 'HEAD:draft.md')).toBe('Dear');
  expect(git('status', '--porcelain')).toBe('');
});

test('a pause during the verification of earlier features starts no further command', async () => {
  const { project } = started.watched;
  // The second session's look back adds one already.
  expect(['slow', 'slow,slow']).toContain(String(await pausedLookBack));
  await project.resume();
  await expectCompleted(started.watched, ['slow 1 PASSED', 'slower 1 PASSED', 'latest 1 PASSED']);
  expect(await lookedBackAt(project)).toEqual(['slow', 'slow', 'slower']);
});

test('a feature whose verification passes before any work waits for a person, who may have it worked on as it is', async () => {
  const { project } = started.done;
  expect(await project.waitForEnd({ orRest: true })).toEqual({
    status: 'WAITING',
    reason: expect.stringMatching(/The verification of "done" proves nothing: at \w{8}, it passes before any work\./),
  });
  expect(await project.features()).toMatchObject([{ status: 'BLOCKED', attempts: 0, red: null }]);
  await project.resume();
  await waitFor('another session', async () => (await project.sessions()).length === 2);
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  await project.runSession({ feature: 'done' });
  await waitFor('it to pass', async () => (await project.sessions())[2]?.status === 'PASSED');
  await completed('done', ['done 1 FAILED', 'done 1 FAILED', 'done 1 PASSED']);
  expect((await project.evidence('done')).map(({ purpose, passed }) => [purpose, passed])).toEqual([
    ['base', false],
    ['base', false],
    ['base', true],
    ['session', true],
  ]);
});

test("a person's own features are used as they are, without an initializer", async () => {
  const { project, git } = started.done;
  expect(await project.features()).toMatchObject([{ name: 'done', category: 'functional', priority: 10 }]);
  expect(stack.model.requests().filter((one) => one.project === project.id && one.role === 'initializer')).toEqual([]);
  expect(git('show', 'HEAD:init.sh')).toContain('echo prepared');
});
