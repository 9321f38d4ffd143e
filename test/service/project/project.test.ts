import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import type { ScriptedCommand } from '../../../testing/index.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  gitIn,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCase,
  toldTo,
  untilCompleted,
} from '../../support/stack/side-by-side.ts';
import { answerCheck } from '../../support/stack/text-file-sandboxes.ts';
import { waitFor } from '../../support/wait-for.ts';

const cases = {
  broken: {
    features: [
      { name: 'older' },
      { name: 'other' },
      { name: 'breaking', work: [call('write_file', { path: 'older.txt', content: 'broken\n' }), writes('breaking')] },
    ],
  },
  done: { changes: { setup_script: 'echo prepared' }, features: [{ name: 'done', command: 'true' }] },
} satisfies Record<string, ProjectCase>;

// The only project with a planning run: it takes an existing repository, in which a person goes on working.
const letter = {
  name: 'letter',
  attempts: [
    [
      call('write_file', { path: 'README.md', content: '# The letters of an agent\n' }),
      call('run_command', { command: 'a person edits README.md' }),
      writes('letter'),
    ],
    [
      {
        ...call('run_command', { command: 'a person adds mine.txt' }),
        expect: ['- Smoke check (`git status --short`): passed.', 'The same lines were changed meanwhile in README.md'],
      },
      writes('letter'),
    ],
  ],
};
const initializer = {
  role: 'initializer',
  turns: [
    { calls: [{ tool: 'list_files' }, { tool: 'git_log' }], expect: ['It already has files'] },
    { ...call('read_file', { path: 'README.md' }), expect: ['README.md', 'Begin the letters'] },
    {
      ...call('propose_project', { ...proposal([letter]), smoke_check: 'git status --short' }),
      expect: ['# Letters'],
    },
  ],
};

let stack: ServiceStack;
const folderOf = (name: string) => join(stack.home, 'projects', name);

/** What a person does in the folder of the letters; the agent's commands and the verification bring it about. */
const byPerson = (file: string, content: string) => {
  writeFileSync(join(folderOf('letters'), file), content);
  return {};
};

/** Answers the check of the letter; while the work is verified together with a person's file, the person changes that. */
function checkLetter(command: ScriptedCommand) {
  const mine = join(command.workspace, 'mine.txt');
  if (existsSync(mine) && readFileSync(mine, 'utf8') === 'while it worked\n')
    byPerson('mine.txt', 'while it was verified\n');
  return answerCheck(command);
}

let broken: StartedProject;

/** Answers the check of `older` at the commit that breaks it; meanwhile a person pauses the project. */
async function pauseDuringCheck(command: ScriptedCommand) {
  await broken.project.pause();
  await waitFor('the pause', async () => (await broken.project.status()).status === 'PAUSED');
  return answerCheck(command);
}

beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [initializer, ...scriptOf({ ...cases, letters: { features: [letter] } }).entries] },
    commands: [
      { match: 'git status --short', result: {} },
      { match: 'git --no-pager log', result: { output: '1234567 2026-01-01 Begin the letters\n' } },
      { match: 'a person edits README.md', result: () => byPerson('README.md', '# Letters of a person\n') },
      { match: 'a person adds mine.txt', result: () => byPerson('mine.txt', 'while it worked\n') },
      { match: 'grep -qx letter', result: checkLetter },
      {
        match: ({ script, workspace }) =>
          script.includes('grep -qx older') && existsSync(join(workspace, 'breaking.txt')),
        result: pauseDuringCheck,
        times: 1,
      },
    ],
  });
});
afterAll(() => stack?.stop());

describe('a project in the repository of a person', () => {
  const inOrder = createTestsInOrder();
  let project: ProjectHandle;
  let git: StartedProject['git'];

  inOrder('an existing repository is read before it is planned for', async () => {
    const folder = folderOf('letters');
    git = gitIn(folder);
    mkdirSync(folder, { recursive: true });
    git('init', '--quiet', '--initial-branch=trunk');
    writeFileSync(join(folder, 'README.md'), '# Letters\n');
    git('add', '.');
    const byPerson = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.org'];
    git(...byPerson, 'commit', '--quiet', '-m', 'Begin the letters');
    writeFileSync(join(folder, 'draft.md'), 'Dear\n');
    project = await stack.longhaul.startProject({ goal: 'One more letter.', folder });
    await expectCompleted({ project, folder, git }, ['letter 1 FAILED', 'letter 2 PASSED']);
    expect((await toldTo(project, 'init')).slice(2)).toEqual([
      expect.stringContaining('README.md'),
      expect.stringContaining('Begin the letters'),
      expect.stringContaining('# Letters'),
      expect.any(String),
    ]);
  });

  inOrder("a person's change to the same lines stays, and the attempt does not pass", async () => {
    expect((await project.sessions())[0]?.reason).toContain('in README.md. Those changes stay');
    expect(readFileSync(join(folderOf('letters'), 'README.md'), 'utf8')).toBe('# Letters of a person\n');
    expect(git('show', 'HEAD:README.md')).toBe('# Letters of a person');
  });

  inOrder(
    'a change that a person makes while a session works or is verified is kept as theirs and verified with the work',
    async () => {
      expect(git('show', 'HEAD~2:mine.txt')).toBe('while it worked');
      expect(git('show', 'HEAD~1:mine.txt')).toBe('while it was verified');
      expect(git('show', '--stat=200', '--format=', 'HEAD')).toMatch(/^letter\.txt .*\n 1 file changed/);
      const verified = (await project.log()).flatMap(({ data }) =>
        data.type === 'verification.completed' && data.purpose !== 'base' ? [data.commit] : [],
      );

      expect(verified).toEqual([...Array(3).fill(expect.any(String)), git('rev-parse', 'HEAD')]);
    },
  );

  inOrder('the repository keeps its branch, its history and what was not committed', async () => {
    expect(git('branch', '--show-current')).toBe('trunk');
    expect(git('log', '--reverse', '--format=%an: %s').split('\n')).toEqual([
      'A Person: Begin the letters',
      expect.not.stringMatching(/letter: /), // the draft
      expect.stringMatching(/: Plan: /),
      expect.not.stringMatching(/letter: /), // the person's README.md
      expect.not.stringMatching(/letter: /), // mine.txt
      expect.not.stringMatching(/letter: /),
      expect.stringMatching(/: letter: Done\.$/),
    ]);
    expect(git('show', 'HEAD:draft.md')).toBe('Dear');
    expect(git('status', '--porcelain')).toBe('');
  });
});

describe('work that breaks an earlier feature', () => {
  const inOrder = createTestsInOrder();

  const lookedBackAt = async () =>
    (await broken.project.log()).flatMap(({ data }) =>
      data.type === 'verification.completed' && data.purpose === 'regression' ? [data.feature] : [],
    );

  inOrder('a pause during the verification of earlier features starts no further command', async () => {
    broken = await startCase(stack, 'broken', cases.broken);
    const { project } = broken;
    await waitFor('the pause', async () => (await project.status()).status === 'PAUSED');
    await waitFor('the result of the check', async () => (await lookedBackAt()).length > 1);
    await waitFor(
      'the sandboxes to stop',
      async () => !(await stack.sandboxesOf(project.id)).some(({ running }) => running),
    );
    expect(await lookedBackAt()).toEqual(['older', 'older']); // the second session's look back adds one
    await project.resume();
    await untilCompleted(project);
    expect((await lookedBackAt()).slice(0, 3)).toEqual(['older', 'older', 'other']);
  });

  inOrder('makes that FAILING with the commit, and a later session repairs it', async () => {
    const { project } = await expectCompleted(broken, [
      ...['older 1 PASSED', 'other 1 PASSED', 'breaking 1 PASSED'],
      'older 2 PASSED',
    ]);
    const commit = (await project.sessions())[2]?.commit?.slice(0, 8);
    const changes = (await project.log()).flatMap(({ data }) =>
      data.type === 'feature.changed' && data.feature === 'older' ? [`${data.status} ${data.reason ?? ''}`] : [],
    );
    expect(changes).toContainEqual(
      expect.stringMatching(new RegExp(`^FAILING Broken by commit ${commit}\\. .*failed`)),
    );
    const [, task] = await toldTo(project, 's4-plan');
    expect(task).toContain(`A later commit: The feature passed until commit ${commit}`);
  });
});

describe("a person's own features", () => {
  const inOrder = createTestsInOrder();
  let done: StartedProject;

  test('are refused with a dependency cycle before anything is made', async () => {
    const features = proposal([
      { name: 'hen', dependencies: ['egg'] },
      { name: 'egg', dependencies: ['hen'] },
    ]);
    const goal = 'Which was first?';
    await expect(stack.longhaul.startProject({ goal, folder: folderOf('circle'), features })).rejects.toThrow(
      /cannot be used:\n {2}features: the dependencies form a cycle: hen -> egg -> hen/,
    );
    expect((await stack.longhaul.listProjects()).map((one) => one.goal)).not.toContain(goal);
  });

  inOrder('one whose verification passes before any work waits for a person, who may have it worked on', async () => {
    done = await startCase(stack, 'done', cases.done);
    const { project } = done;
    expect(await project.waitForEnd({ orRest: true })).toEqual({
      status: 'WAITING',
      reason: expect.stringMatching(/The verification of "done" proves nothing: at \w{8}, it passes before any work\./),
    });
    expect(await project.features()).toMatchObject([{ status: 'BLOCKED', attempts: 0, red: null }]);
    await project.runSession({ feature: 'done' });
    await waitFor('it to pass', async () => (await project.sessions())[1]?.status === 'PASSED');
    await expectCompleted(done, ['done 1 FAILED', 'done 1 PASSED']);
    expect((await project.evidence('done')).map(({ purpose, passed }) => [purpose, passed])).toEqual([
      ['base', false],
      ['base', true],
      ['session', true],
    ]);
  });

  inOrder('are used as they are, without an initializer', async () => {
    const { project, git } = done;
    expect(await project.features()).toMatchObject([{ name: 'done', category: 'functional', priority: 10 }]);
    expect(stack.model.requests().filter((one) => one.project === project.id && one.role === 'initializer')).toEqual(
      [],
    );
    expect(git('show', 'HEAD:init.sh')).toContain('echo prepared');
  });
});
