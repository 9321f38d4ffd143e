import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { type ProjectCase, scriptOf, startCase } from '../../support/stack/side-by-side.ts';
import { waitFor } from '../../support/wait-for.ts';

const asked = call('run_command', { command: 'echo asked' });
const asks: ProjectCase = {
  features: [{ name: 'asks', attempts: [[asked]] }],
  settings: { model: 'openai/gpt-4.1', permissions: { ask: ['Spend(>0.0001 USD)', 'Run(echo asked)'] } },
};

const cannot = call('cannot_be_done', { reason: 'It must be both.', evidence: 'Line 1.' });
const later = [
  { role: 'code', feature: 'asks', after: 'A person allowed', turns: [asked, { ...cannot, expect: ['exit code 0'] }] },
];

let stack: ServiceStack;
beforeAll(async () => {
  stack = await startServiceStack({
    script: { entries: [...scriptOf({ asks }).entries, ...later] },
    settings: "export default { permissions: { deadlineHours: 0.0005, defaultAnswer: 'yes' } };\n",
  });
}, 1_200_000);
afterAll(() => stack?.stop());

test('the default answer counts after the deadline for spending and calls; a feature that waits for a person stays blocked, since it would be attempted without end', async () => {
  const { project } = await startCase(stack, 'asks', asks);
  const answers = async () => {
    const log = (await project.log()).map(({ data }) => data);
    const asked = new Map(log.flatMap((one) => (one.type === 'request.opened' ? [[one.request, one.text]] : [])));
    return log.flatMap((one) =>
      one.type === 'request.answered' ? [`${asked.get(one.request)} ${one.answer} by ${one.by}`] : [],
    );
  };
  await waitFor('all deadlines', async () => (await answers()).length === 3);
  expect(await answers()).toEqual([
    expect.stringMatching(/^It has spent .* yes by deadline$/),
    expect.stringMatching(/^May "asks" do this\? .* yes by deadline$/),
    expect.stringMatching(/^Attempt "asks" again\? .* no by deadline$/),
  ]);
  expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'WAITING' });
  expect(await project.features()).toMatchObject([{ status: 'BLOCKED' }]);
  await project.abandon();
});
