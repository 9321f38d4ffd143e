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

const later = [
  { role: 'code', feature: 'called', after: 'A person allowed', turns: [writes('called'), finishes] },
  { role: 'code', feature: 'helped', turns: [writes('helped'), finishes] },
];

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...scriptOf(cases).entries, ...later] },
    settings: "export default { permissions: { deadlineHours: 0.0005, defaultAnswer: 'yes' } };\n",
  });
}, 1_200_000);
afterAll(() => stack?.stop());

test('the default answer counts after the deadline for spending, calls and features alike', async () => {
  for (const name of Object.keys(cases) as Array<keyof typeof cases>) {
    const { project } = await startCase(stack, name, cases[name]);
    await waitFor(`${name} to complete`, async () => (await project.status()).status === 'COMPLETED');
    const answered = (await project.log()).flatMap(({ data }) => (data.type === 'request-answered' ? [data] : []));
    expect(answered).toMatchObject([{ answer: 'yes', by: 'deadline' }]);
  }
}, 300_000);
