import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { untilAnswered, untilCommitted } from '../support/stack/moments.ts';
import { call, hasRoute, proposal, writes } from '../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';
import {
  expectCompleted,
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCases,
  toldTo,
} from '../support/stack/side-by-side.ts';
import { waitFor } from '../support/wait-for.ts';
import { sandboxesOf } from '../support/work/sandboxes-of.ts';

const cases = {
  endless: {
    stepTimeoutMs: 10_000,
    features: [
      {
        name: 'endless',
        command: 'test -f endless.txt || sleep infinity',
        attempts: [[], [{ ...writes('endless'), expect: ['failed (stopped after 10 s)'] }]],
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
  online: {
    settings: { network: true },
    features: [
      {
        name: 'online',
        work: [
          call('run_command', { command: `${hasRoute} && echo a way out || echo no way out` }),
          { ...writes('online'), expect: ['a way out\n[exit code 0]'] },
        ],
        command: `test -f ~/network-at-set-up && ! ${hasRoute} && grep -qx online online.txt`,
      },
    ],
    changes: { setup_script: `${hasRoute} && touch ~/network-at-set-up` },
  },
  forged: {
    changes: { setup_script: `[ ! -f forged.txt ] || { ${forge()} }` },
    features: [
      {
        name: 'forged',
        files: [{ path: 'acceptance/forged.sh', content: 'grep -qx forged forged.txt\n' }],
        command: 'sleep 2; bash acceptance/forged.sh',
        attempts: [[call('write_file', { path: 'forged.txt', content: 'something else\n' })], [writes('forged')]],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

/**
 * What a set-up script may try: it writes a result for the coming step, and starts a process that waits for the step and then, after the protected
 * files were checked, changes the file it runs and its recorded result.
 */
function forge(): string {
  const result = (folder: string) =>
    `mkdir -p ${folder}; echo "1 1 x:1 1" >${folder}/keeper; echo "exited 0 5" >${folder}/result; : >${folder}/output`;
  const change = `for step in $(ls -d ~/.longhaul/commands/forged.0.*); do ${result('$step')}; echo true >acceptance/forged.sh; done`;
  return `${result('~/.longhaul/commands/forged.0')}; (while sleep 0.1; do ${change}; done) >/dev/null 2>&1 &`;
}

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
  stack = await startServiceStack({ containers: true, script: { entries } });
  started = await startCases(stack, cases);
  visit = visitTwice(started.visited);
  contest = changeTheSameLines(started.contested);
  pausedLookBack = pauseLookBack(started.watched);
  for (const person of [visit, contest, pausedLookBack]) person.catch(() => {}); // the tests await them
});
afterAll(() => stack?.stop());

const limit = 300_000;

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
  await waitFor('the last feature to be verified', 280_000, async () =>
    (await project.log()).some(
      ({ data }) => data.type === 'verification-completed' && data.feature === 'latest' && data.purpose === 'session',
    ),
  );
  await project.pause();
  await waitFor(
    'the sandboxes to stop',
    120_000,
    async () => !(await sandboxesOf(project.id, { running: true })).length,
  );
  return lookedBackAt(project);
}

async function lookedBackAt(project: ProjectHandle): Promise<string[]> {
  return (await project.log()).flatMap(({ data }) =>
    data.type === 'verification-completed' && data.purpose === 'regression' ? [data.feature] : [],
  );
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
    expect(verified).toEqual([expect.any(String), expect.any(String), git('rev-parse', 'HEAD')]);
  },
  limit,
);

test(
  "a person's change to the same lines stays, and the attempt does not pass",
  async () => {
    await contest;
    const { project, folder, git } = await completed('contested', ['contested 1 FAILED', 'contested 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toContain('in shared.txt. Those changes stay');
    expect(readFileSync(join(folder, 'shared.txt'), 'utf8')).toBe('a person\n');
    expect(git('show', 'HEAD:shared.txt')).toBe('a person');
  },
  limit,
);

test(
  'a verification command that never ends is stopped after its time limit, and the next attempt knows',
  async () => {
    const { project } = await completed('endless', ['endless 1 FAILED', 'endless 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toContain('failed (stopped after 10 s)');
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
  'a verification command that kills its own shell or everything it can does not pass',
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
    expect(changes).toContainEqual(
      expect.stringMatching(new RegExp(`^FAILING Broken by commit ${commit}\\. .*failed`)),
    );
    const [, task] = await toldTo(project, 's3-plan');
    expect(task).toContain(`A later commit: The feature passed until commit ${commit}`);
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
  'a project with network has it in set-up and work, and its verification has none',
  async () => {
    await completed('online', ['online 1 PASSED']);
  },
  limit,
);

test(
  'a set-up script that forges or changes the result of a step passes nothing',
  async () => {
    const { project } = await completed('forged', ['forged 1 FAILED', 'forged 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toMatch(/failed \(exit code 1\): `sleep 2; bash acceptance/);
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
  "a person's own features with a dependency cycle are refused before anything is made",
  async () => {
    const folder = join(stack.home, 'projects', 'circle');
    const features = proposal([
      { name: 'hen', dependencies: ['egg'] },
      { name: 'egg', dependencies: ['hen'] },
    ]);
    await expect(stack.longhaul.startProject({ goal: 'Which was first?', folder, features })).rejects.toThrow(
      /cannot be used:\n {2}features: the dependencies form a cycle: hen -> egg -> hen/,
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

test(
  'a pause during the verification of earlier features starts no further command',
  async () => {
    const { project } = started.watched;
    // The second session's look back adds one already.
    expect(['slow', 'slow,slow']).toContain(String(await pausedLookBack));
    await project.resume();
    await expectCompleted(started.watched, ['slow 1 PASSED', 'slower 1 PASSED', 'latest 1 PASSED']);
    expect(await lookedBackAt(project)).toEqual(['slow', 'slow', 'slower']);
  },
  limit,
);
