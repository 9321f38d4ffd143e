import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, finishes, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { expectCompleted, gitIn, scriptOf, toldTo } from '../../support/stack/side-by-side.ts';

const asked = { path: 'tests/helper.py', reason: 'It needs another case.' };
const objection = { place: 'judged.txt:1', reason: 'It holds the word and nothing else.' };
const isRight = { description: 'The file is right.', command: 'grep -qx judged judged.txt' };
const sumIsRight = { description: 'The sum is right.', command: 'grep -qx total=1+2 sum.py' };

/** One feature, whose planned verification passes before any work, and in whose attempts something else stands in the way of the landing each time. */
const attempts = [
  [
    call('request_change', { path: 'judged.txt', reason: 'It is empty.' }),
    {
      ...call('request_change', asked),
      expect: ['judged.txt does not need a permission: change it like any other file.'],
    },
  ],
  [{ ...call('request_change', asked), expect: ['Attempt 1: The change is refused: It would assert less.'] }],
  [
    { ...writes('judged'), expect: ['Attempt 2: The reviewer objects to judged.txt:1: It holds the word'] },
    call('write_file', { path: 'sum.py', content: 'total=1+2\n' }),
  ],
];

const isOneOf = {
  requirement: 'It is judged.',
  command: 'python3 sealed/check.py',
  files: [{ path: 'sealed/check.py', content: 'import judged\nfor one in judged.all(): one.check()\n' }],
};

const judged = [
  { role: 'initializer', turns: [call('propose_project', proposal([{ name: 'judged', command: 'true' }]))] },
  {
    role: 'checks',
    feature: 'judged',
    attempt: 1,
    turns: [
      {
        ...call('propose_checks', { steps: [isRight], files: [{ path: 'init.sh', content: 'true' }] }),
        expect: ['it passes before any work'],
      },
      {
        ...call('propose_checks', { steps: [isRight], sealed: [isOneOf] }),
        expect: ['- files: "init.sh" sets up sandboxes; leave it out'],
      },
      {
        ...call('propose_checks', { steps: [isRight], files: [{ path: 'acceptance/judged.txt', content: 'judged' }] }),
        expect: ['- sealed: the check of "It is judged." compares with no value that is written out beside the result'],
      },
    ],
  },
  ...scriptOf({ judged: { features: [{ name: 'judged', attempts }] } }).entries,
  {
    role: 'changes',
    feature: 'judged',
    attempt: 1,
    turns: [
      {
        ...call('refuse_change', { reason: 'It would assert less.' }),
        expect: ['File: `tests/helper.py`', 'It needs another case.'],
      },
    ],
  },
  {
    role: 'changes',
    feature: 'judged',
    attempt: 2,
    turns: [call('allow_change', { reason: 'It asserts as much.' })],
  },
  {
    role: 'code',
    feature: 'judged',
    attempt: 2,
    after: "Files that this feature's sessions were allowed to change: tests/helper.py",
    turns: [writes('judged'), finishes],
  },
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 2,
    turns: [call('read_file', { path: 'judged.txt' }), call('object_to_work', objection)],
  },
  {
    role: 'checks',
    feature: 'judged',
    attempt: 3,
    turns: [
      {
        ...call('propose_checks', { steps: [sumIsRight] }),
        expect: ['the checks noticed 0 of them', '- sum.py:1: total=1+2 → total='],
      },
    ],
  },
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 3,
    turns: [
      {
        ...call('approve_work', { summary: 'It is right.' }),
        expect: ['- The file is right. (passed, exit code 0)', '+judged'],
      },
    ],
  },
];

/** The tests of this example contradict each other; its folder has the right one. */
const contradiction = join(packageRoot(), 'examples', 'contradiction');
const readCheck = (folder: string) => readFileSync(join(folder, 'acceptance', 'test_rounding.py'), 'utf8');
const why = { reason: '2.5 is to become 3 and 2.', evidence: 'test_half and test_half_again.' };
const rounding = { path: 'rounding.py', content: 'def round_amount(amount):\n    return int(amount + 0.5)\n' };
const contradicted = [
  { role: 'planner', feature: 'rounding', turns: [call('submit_plan', { steps: ['Round'] })] },
  { role: 'code', feature: 'rounding', turns: [call('cannot_be_done', why)] },
  {
    role: 'code',
    feature: 'rounding',
    after: 'The agent says that this cannot be done: 2.5 is to become 3 and 2.',
    turns: [call('write_file', rounding), finishes],
  },
  { role: 'reviewer', feature: 'rounding', turns: [call('approve_work', { summary: 'It is right.' })] },
];
/** Python with the right check and the right work as they are; spoiled, or with a mistake, it fails. */
const pythonTests = {
  match: 'python3 -m unittest discover',
  result: ({ workspace }: { workspace: string }) => {
    const file = join(workspace, rounding.path);
    const isDone = existsSync(file) && readFileSync(file, 'utf8') === rounding.content;
    // Each run has a remark at the end of the check.
    return { exitCode: isDone && readCheck(workspace).startsWith(readCheck(contradiction)) ? 0 : 1 };
  },
};

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...judged, ...contradicted] },
    commands: [pythonTests, { match: 'python3 -m compileall', result: {} }],
    settings: 'export default { review: true, minMutationScore: 50 };',
  });
});
afterAll(() => stack?.stop());

describe('what stands in the way of a landing, attempt after attempt:', () => {
  const inOrder = createTestsInOrder();
  let project: ProjectHandle;
  let git: ReturnType<typeof gitIn>;
  const checks = () => project.checks('judged');
  const sessionsWith = async (status: string) => (await project.sessions()).filter((one) => one.status === status);

  inOrder('only a failed attempt counts; checks written anew and a change that an agent allows cost none', async () => {
    const folder = join(stack.home, 'projects', 'judged');
    git = gitIn(folder);
    project = await stack.longhaul.startProject({ goal: 'Something new.', name: 'judged', folder });
    await expectCompleted({ project, folder, git }, [
      ...['judged 1 INTERRUPTED', 'judged 1 FAILED', 'judged 2 INTERRUPTED', 'judged 2 FAILED'],
      'judged 3 PASSED',
    ]);
  });

  inOrder('a planned verification that passes before any work is written anew, in a commit of its own', async () => {
    const verdicts = (await project.evidence('judged')).map(({ purpose, passed }) => [purpose, passed]);
    expect(verdicts.slice(0, 2)).toEqual([
      ['base', false],
      ['base', true],
    ]);
    expect((await project.features())[0]?.verification).toMatchObject({
      protectedPaths: expect.arrayContaining(['acceptance/judged.txt']),
    });
    expect((await checks()).steps[0]).toMatchObject(isRight);
    expect(git('log', '--format=%s').split('\n')).toContain('Checks of judged');
  });

  inOrder('the next attempt reads why a change of what helps the checks was refused', async () => {
    const [refused] = await sessionsWith('FAILED');
    expect(refused?.reason).toContain('It would assert less.');
  });

  inOrder('a change of what helps the checks that an agent allows is in the evidence', async () => {
    expect((await checks()).allowed).toEqual(['tests/helper.py']);
  });

  inOrder('verified work that a reviewer objects to does not land, and the next attempt reads why', async () => {
    const [, objected] = await sessionsWith('FAILED');
    expect(objected?.reason).toBe('The reviewer objects to judged.txt:1: It holds the word and nothing else.');
    const told = (await toldTo(project, 's4-review')).join('\n');
    expect(told).not.toContain('I looked at it.'); // what the agent gave as its evidence
  });

  inOrder('work whose checks notice too few mistakes lands once it passes the checks that are added', async () => {
    const verdicts = (await project.evidence('judged')).filter(({ purpose }) => purpose === 'session');
    expect(verdicts.map(({ passed, mutants }) => [passed, mutants])).toEqual([
      [true, null], // to which the reviewer objected
      [true, expect.objectContaining({ noticed: 0 })],
      [true, expect.objectContaining({ missed: [] })],
    ]);
    expect((await checks()).steps.map(({ command }) => command)).toEqual([isRight.command, sumIsRight.command]);
  });
});

test('the example whose tests contradict each other waits for a person, and is done once they are right', async () => {
  const folder = join(stack.home, 'projects', 'rounding');
  const features = JSON.parse(readFileSync(join(contradiction, 'features.json'), 'utf8'));
  const project = await stack.longhaul.startProject({ goal: 'Round amounts.', name: 'rounding', folder, features });
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({
    status: 'WAITING',
    reason: expect.stringContaining(why.reason),
  });
  copyFileSync(join(contradiction, 'acceptance', 'test_rounding.py'), join(folder, 'acceptance', 'test_rounding.py'));
  await project.resume();
  await expectCompleted({ project, folder, git: gitIn(folder) }, ['rounding 1 FAILED', 'rounding 1 PASSED']);
});
