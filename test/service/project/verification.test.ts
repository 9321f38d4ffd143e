import { afterAll, beforeAll, expect } from '@jest/globals';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, hasNetwork, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import {
  expectCompleted,
  type ProjectCase,
  type StartedProject,
  scriptOf,
  startCase,
  toldTo,
} from '../../support/stack/side-by-side.ts';

/** Its verification prints 10 MB and never ends unless the work is done. */
const online: ProjectCase = {
  settings: { network: ['allowed.example.org'] },
  stepTimeoutMs: 10_000,
  features: [
    {
      name: 'online',
      attempts: [
        [],
        [
          {
            ...call('run_command', { command: `${hasNetwork} && echo a way out || echo no way out` }),
            expect: ['failed (stopped after 10 s)', '      end'],
          },
          { ...writes('online'), expect: ['a way out\n[exit code 0]'] },
        ],
      ],
      command: `test -f ~/network-at-set-up && ! ${hasNetwork} || exit
if ! grep -qx online online.txt; then echo begin; yes | head -c 10000000; echo end; sleep infinity; fi`,
    },
  ],
  changes: { setup_script: `${hasNetwork} && ! curl -sf http://refused.example.org && touch ~/network-at-set-up` },
};

const inOrder = createTestsInOrder();
let stack: ServiceStack;
let started: StartedProject;

beforeAll(async () => {
  stack = await startServiceStack({ containers: true, script: scriptOf({ online }) });
  started = await startCase(stack, 'online', online);
});
afterAll(() => stack?.stop());

inOrder(
  'a verification command that never ends is stopped after its time limit, and the next attempt knows',
  async () => {
    const { project } = await expectCompleted(started, ['online 1 FAILED', 'online 2 PASSED']);
    expect((await project.sessions())[0]?.reason).toContain('failed (stopped after 10 s)');
  },
);

inOrder('a verification command that prints 10 MB leaves the end of it', async () => {
  const { project } = started;
  expect((await project.sessions())[0]?.reason?.length).toBeLessThan(500);
  const [, task = ''] = await toldTo(project, 's2-plan');
  expect(task).toMatch(/ {6}end\n/);
  expect(task.length).toBeLessThan(20_000);
});

inOrder(
  'a project with network has it in set-up and work, its verification has none, and its log has what was refused',
  async () => {
    const { project } = started;
    const refused = (await project.log({ after: 0 })).flatMap(({ data }) =>
      data.type === 'network.refused' ? [data] : [],
    );
    const why = 'network policy "allowed.example.org" does not allow refused.example.org:80';
    const refusals = [{ host: 'refused.example.org:80', why }];
    expect(refused).toEqual(
      ['s1', 's1-v1', 's2', 's2-v1'].map((name) => ({
        ...{ type: 'network.refused', sandbox: `${project.id}-${name}`, refusals },
      })),
    );
  },
);
