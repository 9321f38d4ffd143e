import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, finishes, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { type ProjectCase, scriptOf, startCase } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const cases = {
  spends: {
    features: [{ name: 'spends' }],
    settings: { model: 'openai/gpt-4.1', permissions: { ask: ['Spend(>0.0001 USD)'] } },
  },
  called: {
    features: [{ name: 'called', attempts: [[call('run_command', { command: 'true && echo asked' })]] }],
    settings: { permissions: { ask: ['Run(echo asked)'] } },
  },
  helped: {
    features: [
      { name: 'helped', attempts: [[call('cannot_be_done', { reason: 'It must be both.', evidence: 'Line 1.' })]] },
    ],
  },
} satisfies Record<string, ProjectCase>;

const later = [{ role: 'code', feature: 'called', after: 'A person allowed', turns: [writes('called'), finishes] }];

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...scriptOf(cases).entries, ...later] },
    settings: "export default { permissions: { deadlineHours: 0.0005, defaultAnswer: 'yes' } };\n",
  });
}, 1_200_000);
afterAll(() => stack?.stop());

test('the default answer counts after the deadline for spending and calls', async () => {
  for (const name of ['spends', 'called'] as const) {
    const { project } = await startCase(stack, name, cases[name]);
    await waitFor(`${name} to complete`, async () => (await project.status()).status === 'COMPLETED');
    const answered = (await project.log()).flatMap(({ data }) => (data.type === 'request-answered' ? [data] : []));
    expect(answered).toMatchObject([{ answer: 'yes', by: 'deadline' }]);
  }
});

test('a feature that waits for a person stays blocked after the deadline, since it would be attempted without end', async () => {
  const { project } = await startCase(stack, 'helped', cases.helped);
  const answered = async () =>
    (await project.log()).flatMap(({ data }) => (data.type === 'request-answered' ? [data] : []));
  await waitFor('the deadline', async () => (await answered()).length > 0);
  expect(await answered()).toMatchObject([{ answer: 'no', by: 'deadline' }]);
  expect(await project.features()).toMatchObject([{ status: 'BLOCKED' }]);
  await project.abandon();
});
