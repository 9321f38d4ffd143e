import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifyActivities } from '../../../activities/verification/verify.ts';
import { findVerification } from '../../../db/project/verifications.ts';
import { createBegunSessions } from '../../support/work/begun-session.ts';
import { inActivity } from '../../support/work/in-activity.ts';

let begun: Awaited<ReturnType<typeof createBegunSessions>>;
beforeAll(async () => {
  begun = await createBegunSessions();
});
afterAll(() => begun?.stop());

const requirement = 'It greets everyone.';
const sealed = [
  {
    requirement,
    command: './secret/check.sh Eve',
    files: [
      {
        path: 'secret/check.sh',
        content: '#!/bin/sh\necho "$1 was not greeted."\ngrep -qx "Hello, $1" greetings.txt\n',
      },
    ],
  },
];
const commands = ['grep -qx "Hello, Ada" greetings.txt'];

async function verify(greetings: string) {
  const session = await begun.begin({ commands, sealed });
  const { projectId, sessionId } = session;
  const seen = await session.call(1, `printf '${greetings}' >greetings.txt; ls -R . ~; git log --all --stat`);
  const { commit = '' } = await session.commitWork();
  const { verifyFeature } = createVerifyActivities(begun.dependencies);
  const verdict = await inActivity(() => verifyFeature({ projectId, sessionId, commit, landing: 1 }));
  const row = await findVerification(begun.dependencies.database, `${sessionId}-v1`);
  return { verdict, steps: row?.steps ?? [], seen: JSON.stringify(seen) };
}

test('of a sealed check that fails the agents read the requirement, and nothing else', async () => {
  const { verdict, steps, seen } = await verify('Hello, Ada\\n');
  expect(verdict).toEqual({
    passed: false,
    reason: `A check that is sealed failed (exited). It requires: ${requirement}`,
  });
  const [, { sealed: hidden, ...shown } = {}] = steps;
  expect(shown).toMatchObject({ description: requirement, command: 'sealed', output: '', passed: false });
  expect(hidden).toMatchObject({ command: './secret/check.sh Eve', output: 'Eve was not greeted.\n' });
  expect(seen).toContain('greetings.txt');
  expect(`${seen} ${JSON.stringify(shown)}`).not.toMatch(/secret|Eve/);
});

test('work that meets a sealed check passes, and the check fails once it is spoiled', async () => {
  const { verdict, steps } = await verify('Hello, Ada\\nHello, Eve\\n');
  expect(verdict).toEqual({ passed: true, reason: '2 of 2 verification steps passed.' });
  expect(steps[1]).toMatchObject({ passed: true, spoiled: { files: ['secret/check.sh'], exitCode: 1 } });
});
