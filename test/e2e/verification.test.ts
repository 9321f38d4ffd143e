import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { untilAnswered, untilCommitted } from '../support/moments.ts';
import { call, proposal, writes } from '../support/scripts.ts';
import {
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  sessionsOf,
  startCase,
  toldTo,
} from '../support/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

/** Only the default route tells whether there is a way out, and it costs no waiting. */
const hasRoute = `awk '$2 == "00000000" { found = 1 } END { exit !found }' /proc/net/route`;

const cases = {
  endless: {
    stepTimeoutMs: 1000,
    features: [
      {
        name: 'endless',
        command: 'test -f endless.txt || sleep infinity',
        attempts: [[], [{ ...writes('endless'), expect: ['failed (stopped after 1 s)'] }]],
      },
    ],
  },
  loud: {
    features: [
      {
        name: 'loud',
        command: 'echo begin; yes | head -c 100000000; echo end; test -f loud.txt',
        attempts: [[], [{ ...writes('loud'), expect: ['      end'] }]],
      },
    ],
  },
  suicidal: {
    features: [
      { name: 'suicidal', command: 'test -f suicidal.txt || kill -9 $$', attempts: [[], [writes('suicidal')]] },
      { name: 'murderous', command: 'test -f murderous.txt || kill -9 -1', attempts: [[], [writes('murderous')]] },
    ],
  },
  regression: {
    features: [
      { name: 'older' },
      { name: 'breaking', work: [call('write_file', { path: 'older.txt', content: 'broken\n' }), writes('breaking')] },
    ],
  },
  visited: {
    features: [
      {
        name: 'visited',
        work: [call('run_command', { command: 'sleep 4' }), writes('visited')],
        command: 'sleep 4; grep -qx visited visited.txt',
      },
    ],
  },
  contested: {
    changes: { files: [{ path: 'shared.txt', content: 'original\n' }] },
    features: [
      {
        name: 'contested',
        attempts: [
          [
            call('write_file', { path: 'shared.txt', content: 'the agent\n' }),
            call('run_command', { command: 'sleep 4' }),
            writes('contested'),
          ],
          [{ ...writes('contested'), expect: ['A person changed the same lines meanwhile, in shared.txt'] }],
        ],
      },
    ],
  },
  offline: {
    changes: { setup_script: `${hasRoute} && touch ~/network-at-set-up` },
    features: [
      {
        name: 'offline',
        work: [
          call('run_command', { command: `${hasRoute} && echo a way out || echo no way out` }),
          { ...writes('offline'), expect: ['no way out\n[exit code 0]'] },
        ],
        command: `test -f ~/network-at-set-up && ! ${hasRoute} && grep -qx offline offline.txt`,
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

// Of the project that takes a repository; every other brings its features.
const initializer = {
  role: 'initializer',
  turns: [
    { calls: [{ tool: 'list_files' }, { tool: 'git_log' }], expect: ['It has files already'] },
    { ...call('read_file', { path: 'README.md' }), expect: ['README.md', 'Begin the letters'] },
    {
      ...call('propose_project', { ...proposal([{ name: 'taken', command: 'test -f README.md -a -f taken.txt' }]) }),
      expect: ['# Letters'],
    },
  ],
};
const takenFeature = scriptOf({ taken: { features: [{ name: 'taken' }] } });

let stack: TestStack;
let started: Record<keyof typeof cases, StartedProject>;
/** What a person does meanwhile; it has its moment whichever test is under way. */
let visit: Promise<void>;
let contest: Promise<void>;

beforeAll(async () => {
  const entries = [initializer, ...takenFeature.entries, ...scriptOf(cases).entries];
  stack = await startTestStack({ script: { entries } });
  const all = Object.entries(cases).map(async ([name, one]) => [name, await startCase(stack, name, one)] as const);
  started = Object.fromEntries(await Promise.all(all)) as typeof started;
  visit = visitTwice(started.visited);
  contest = changeTheSameLines(started.contested);
  for (const person of [visit, contest]) person.catch(() => {}); // their tests look at them
}, 120_000);
afterAll(() => stack?.stop(), 30_000);

const limit = 240_000;

async function completed(name: keyof typeof cases, sessions: string[]): Promise<StartedProject> {
  const { project } = started[name];
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
  expect(await sessionsOf(project)).toEqual(sessions);
  return started[name];
}

async function visitTwice({ project, folder }: StartedProject): Promise<void> {
  await untilAnswered(project, 's1-work', 1);
  writeFileSync(join(folder, 'mine.txt'), 'while it worked\n');
  await untilCommitted(project, folder, 's1');
  writeFileSync(join(folder, 'mine.txt'), 'while it was verified\n');
}

async function changeTheSameLines({ project, folder }: StartedProject): Promise<void> {
  await untilAnswered(project, 's1-work', 2);
  writeFileSync(join(folder, 'shared.txt'), 'a person\n');
}

test(
  'a change that a person makes while a session works or is verified is kept as theirs and verified with the work',
  async () => {
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
      data.type === 'verification-completed' ? [data.commit] : [],
    );
    expect(verified).toEqual([expect.any(String), git('rev-parse', 'HEAD')]);
  },
  limit,
);

test(
  "a person's change to the same lines stays, and the attempt does not pass",
  async () => {
    await contest;
    const { project, folder, git } = await completed('contested', ['contested 1 FAILED', 'contested 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toContain('in shared.txt. Their changes stay');
    expect(readFileSync(join(folder, 'shared.txt'), 'utf8')).toBe('a person\n');
    expect(git('show', 'HEAD:shared.txt')).toBe('a person');
  },
  limit,
);

test(
  'a verification command that never ends is stopped after its time, and the next attempt is told',
  async () => {
    const { project } = await completed('endless', ['endless 1 FAILED', 'endless 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toContain('failed (stopped after 1 s)');
  },
  limit,
);

test(
  'a verification command that prints 100 MB leaves the beginning and the end of it',
  async () => {
    const { project } = await completed('loud', ['loud 1 FAILED', 'loud 2 PASSED']);
    expect((await project.sessions())[0]?.reason?.length).toBeLessThan(500);
    const [, task = ''] = await toldTo(project, 's2-plan');
    expect(task).toMatch(/ {6}end\n/);
    expect(task.length).toBeLessThan(20_000);
  },
  limit,
);

test(
  'a verification command that kills its own shell, or all that it can, does not pass',
  async () => {
    const { project } = await completed('suicidal', [
      'suicidal 1 FAILED',
      'murderous 1 FAILED',
      'suicidal 2 PASSED',
      'murderous 2 PASSED',
    ]);
    const [shell, all] = await project.sessions();
    expect(shell?.reason).toContain('failed (exit code 137)');
    expect(all?.reason).toMatch(/failed \((exit code 137|interrupted)\)/);
  },
  limit,
);

test(
  'work that breaks an earlier feature makes that FAILING with the commit, and a later session repairs it',
  async () => {
    const { project } = await completed('regression', ['older 1 PASSED', 'breaking 1 PASSED', 'older 2 PASSED']);
    const commit = (await project.sessions())[1]?.commit?.slice(0, 8);
    const changes = (await project.log()).flatMap(({ data }) =>
      data.type === 'feature-changed' && data.feature === 'older' ? [`${data.status} ${data.reason ?? ''}`] : [],
    );
    expect(changes).toContainEqual(expect.stringMatching(new RegExp(`^FAILING Commit ${commit} broke it\\. .*failed`)));
    const [, task] = await toldTo(project, 's3-plan');
    expect(task).toContain(`A later commit: It passed until commit ${commit}`);
  },
  limit,
);

test(
  'the set-up script has network, the agent and the verification have none',
  async () => {
    await completed('offline', ['offline 1 PASSED']);
  },
  limit,
);

test(
  "a person's own features are used as they are, without an initializer",
  async () => {
    const { project, git } = await completed('offline', ['offline 1 PASSED']);
    expect(await project.features()).toMatchObject([{ name: 'offline', category: 'functional', priority: 10 }]);
    expect(stack.model.requests().filter((one) => one.project === project.id && one.role === 'initializer')).toEqual(
      [],
    );
    expect(git('show', 'HEAD~1:init.sh')).toContain('network-at-set-up');
  },
  limit,
);

test(
  "a person's own features that depend on each other in a circle are refused before anything is made",
  async () => {
    const folder = join(stack.home, 'projects', 'circle');
    const features = proposal([
      { name: 'hen', dependencies: ['egg'] },
      { name: 'egg', dependencies: ['hen'] },
    ]);
    await expect(stack.longhaul.startProject({ goal: 'Which was first?', folder, features })).rejects.toThrow(
      /cannot be used:\n {2}features: the dependencies go in a circle: hen -> egg -> hen/,
    );
    expect((await stack.longhaul.listProjects()).map(({ goal }) => goal)).not.toContain('Which was first?');
  },
  limit,
);

test(
  'an existing repository is read before it is planned for, and keeps its history and what was not committed',
  async () => {
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
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
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
  },
  limit,
);
