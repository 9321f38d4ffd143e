import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { call, finishes, proposal, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  gitIn,
  type ProjectCase,
  scriptOf,
  startCase,
  toldTo,
} from '../../support/stack/side-by-side.ts';

const asked = { path: 'tests/helper.py', reason: 'It needs another case.' };
const objection = { place: 'judged.txt:1', reason: 'It holds the word and nothing else.' };
const cases = {
  judged: {
    features: [
      {
        name: 'judged',
        attempts: [
          [writes('judged')],
          [{ ...writes('judged'), expect: ['Attempt 1: The reviewer objects to judged.txt:1: It holds the word'] }],
        ],
      },
    ],
  },
  steered: {
    features: [
      {
        name: 'steered',
        attempts: [
          [
            { ...call('request_change', { path: 'steered.txt', reason: 'It is empty.' }) },
            { ...call('request_change', asked), expect: ['steered.txt is no such file: change it as any other.'] },
          ],
          [{ ...writes('steered'), expect: ['Attempt 1: The change is refused: It would assert less.'] }],
        ],
      },
    ],
  },
  allowed: { features: [{ name: 'allowed', attempts: [[call('request_change', asked)]] }] },
  mutated: {
    features: [
      {
        name: 'mutated',
        work: [writes('mutated'), call('write_file', { path: 'sum.py', content: 'total=1+2\n' })],
      },
    ],
  },
} satisfies Record<string, ProjectCase>;

const reviews = [
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 1,
    turns: [call('read_file', { path: 'judged.txt' }), call('object_to_work', objection)],
  },
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 2,
    turns: [
      {
        ...call('approve_work', { summary: 'It is right.' }),
        expect: ['- The file is right. (passed, exit code 0)', '+judged'],
      },
    ],
  },
];

const decisions = [
  {
    role: 'changes',
    feature: 'steered',
    turns: [
      {
        ...call('refuse_change', { reason: 'It would assert less.' }),
        expect: ['File: `tests/helper.py`', 'It needs another case.'],
      },
    ],
  },
  { role: 'changes', feature: 'allowed', turns: [call('allow_change', { reason: 'It asserts as much.' })] },
  {
    role: 'code',
    feature: 'allowed',
    after: "Files that this feature's sessions were allowed to change: tests/helper.py",
    turns: [call('request_change', asked), writes('allowed'), finishes],
  },
  {
    role: 'checks',
    feature: 'mutated',
    turns: [
      {
        ...call('propose_checks', {
          steps: [{ description: 'The sum is right.', command: 'grep -qx total=1+2 sum.py' }],
        }),
        expect: ['the checks noticed 0 of them', '- sum.py:1: total=1+2 → total='],
      },
    ],
  },
  ...['steered', 'allowed', 'mutated'].map((feature) => ({
    role: 'reviewer',
    feature,
    turns: [call('approve_work', { summary: 'It is right.' })],
  })),
];

/** Plans a feature whose verification passes already; its checks are written anew. */
const planned = {
  role: 'initializer',
  turns: [call('propose_project', proposal([{ name: 'anew', command: 'true' }]))],
};
const anew = [
  planned,
  ...scriptOf({ anew: { features: [{ name: 'anew' }] } }).entries,
  { role: 'reviewer', feature: 'anew', turns: [call('approve_work', { summary: 'It is right.' })] },
  {
    role: 'checks',
    feature: 'anew',
    turns: [
      {
        ...call('propose_checks', {
          steps: [{ description: 'It is right.', command: 'grep -qx anew anew.txt' }],
          files: [{ path: 'init.sh', content: 'true' }],
        }),
        expect: ['it passes before any work'],
      },
      {
        ...call('propose_checks', {
          steps: [{ description: 'It is right.', command: 'grep -qx anew anew.txt' }],
          files: [{ path: 'acceptance/anew.txt', content: 'anew' }],
        }),
        expect: ['- files: "init.sh" sets up sandboxes; leave it out'],
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
    return { exitCode: isDone && readCheck(workspace) === readCheck(contradiction) ? 0 : 1 };
  },
};

let stack: ServiceStack;
beforeAll(async () => {
  const { entries } = scriptOf(cases);
  stack = await startServiceStack({
    script: { entries: [...entries, ...reviews, ...decisions, ...anew, ...contradicted] },
    commands: [pythonTests, { match: 'python3 -m compileall', result: {} }],
    settings: 'export default { review: true, minMutationScore: 50 };',
  });
});
afterAll(() => stack?.stop());

test('verified work that a reviewer objects to does not land, and the next attempt reads why', async () => {
  const started = await startCase(stack, 'judged', cases.judged);
  const { project } = await expectCompleted(started, ['judged 1 FAILED', 'judged 2 PASSED']);
  const [first] = await project.sessions();
  expect(first?.reason).toBe('The reviewer objects to judged.txt:1: It holds the word and nothing else.');
  expect((await project.evidence('judged')).map(({ purpose, passed }) => [purpose, passed])).toEqual([
    ['base', true],
    ['session', true],
    ['session', true],
  ]);
  const told = (await toldTo(project, 's1-review')).join('\n');
  expect(told).not.toContain('I looked at it.'); // what the agent gave as its evidence
});

test('a planned verification that passes before any work is written anew, in a commit of its own', async () => {
  const folder = join(stack.home, 'projects', 'anew');
  const project = await stack.longhaul.startProject({ goal: 'Something new.', name: 'anew', folder });
  await expectCompleted({ project, folder, git: gitIn(folder) }, ['anew 1 INTERRUPTED', 'anew 1 PASSED']);
  expect((await project.evidence('anew')).map(({ purpose, passed }) => [purpose, passed])).toEqual([
    ['base', false],
    ['base', true],
    ['session', true],
  ]);
  expect((await project.features())[0]?.verification).toMatchObject({
    steps: [{ command: 'grep -qx anew anew.txt' }],
    protectedPaths: ['acceptance/anew.txt'],
  });
  expect(gitIn(folder)('log', '--format=%s').split('\n')).toContain('Checks of anew');
});

test('the next attempt reads why a change of what helps the checks was refused', async () => {
  await expectCompleted(await startCase(stack, 'steered', cases.steered), ['steered 1 FAILED', 'steered 2 PASSED']);
});

test('a change of what helps the checks that an agent allows costs no attempt, and is in the evidence', async () => {
  const started = await startCase(stack, 'allowed', cases.allowed);
  const { project } = await expectCompleted(started, ['allowed 1 INTERRUPTED', 'allowed 1 PASSED']);
  expect((await project.checks('allowed')).allowed).toEqual(['tests/helper.py']);
});

test('work whose checks notice too few mistakes lands once it passes the checks that are added', async () => {
  const started = await startCase(stack, 'mutated', cases.mutated);
  const { project } = await expectCompleted(started, ['mutated 1 PASSED']);
  expect((await project.evidence('mutated')).map(({ purpose, passed, mutants }) => [purpose, passed, mutants])).toEqual(
    [
      ['base', true, null],
      ['session', true, expect.objectContaining({ noticed: 0 })],
      ['session', true, expect.objectContaining({ missed: [] })],
    ],
  );
  expect((await project.checks('mutated')).steps.map(({ command }) => command)).toEqual([
    'grep -qx mutated mutated.txt',
    'grep -qx total=1+2 sum.py',
  ]);
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
