import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { expectCompleted, type ProjectCase, scriptOf, startCase, toldTo } from '../../support/stack/side-by-side.ts';

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
} satisfies Record<string, ProjectCase>;

const reviews = [
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 1,
    turns: [call('read_file', { path: 'judged.txt' }), call('object', objection)],
  },
  {
    role: 'reviewer',
    feature: 'judged',
    attempt: 2,
    turns: [
      {
        ...call('approve', { summary: 'It is right.' }),
        expect: ['- The file is right. (passed, exit code 0)', '+judged'],
      },
    ],
  },
];

let stack: ServiceStack;
beforeAll(async () => {
  const { entries } = scriptOf(cases);
  stack = await startServiceStack({
    script: { entries: [...entries, ...reviews] },
    settings: 'export default { review: true };',
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
}, 300_000);
