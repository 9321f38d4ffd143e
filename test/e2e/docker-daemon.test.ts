import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { canStartOwnDocker, type OwnDockerDaemon, startOwnDocker } from '../support/servers/own-docker-daemon.ts';
import { abandon, type Control, pause, revert } from '../support/stack/controls.ts';
import { type HeldProject, letGoDuring, scriptOfHeld, startHeld } from '../support/stack/held-project.ts';
import { type StartedProject, scriptOf, startCase, toldTo, untilCompleted } from '../support/stack/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';
import { isRunningIn } from '../support/work/sandboxes-of.ts';

const verification =
  '[ ! -e verified.txt ] || until [ -e /tmp/go ]; do sleep 0.33; done; grep -qx verified verified.txt';
const verifying = { features: [{ name: 'verified', command: verification }] };
/** What is sent, while the daemon is dead, to projects that it interrupted during a command. */
const controls = [pause, revert, abandon];

const testWithOwnDocker = canStartOwnDocker() ? test : test.skip;
let docker: OwnDockerDaemon;
let stack: TestStack;
let verified: StartedProject;
const told = new Map<Control, { held: HeldProject; outcome: Promise<void> }>();

// One death of the daemon meets them all.
beforeAll(async () => {
  if (!canStartOwnDocker()) return;
  docker = await startOwnDocker();
  const { host, environment } = docker;
  stack = await startTestStack({
    script: { entries: [...scriptOfHeld().entries, ...scriptOf({ verifying }).entries] },
    environment,
  });
  const [started, ...held] = await Promise.all([
    startCase(stack, 'verified', verifying),
    ...controls.map((control, index) => startHeld(stack, `told-${index}`, { ...control, moment: 'a command', host })),
  ]);
  verified = started;
  await waitFor('the verification to run', () =>
    isRunningIn(verified.project.id, 'sleep 0.33', { host, sandbox: 's1-v1-step' }),
  );
  const record = startHalf();
  const before = readFileSync(record);
  docker.docker('start', half);
  await docker.kill();
  writeFileSync(record, before);
  for (const [index, one] of held.entries()) {
    const control = controls[index] as Control;
    told.set(control, { held: one, outcome: control.send(one).then((answer) => control.expectHolds(one, answer)) });
  }
  await docker.start();
  await Promise.allSettled([...told.values()].map(({ outcome }) => outcome));
}, 1_200_000);
afterAll(async () => {
  await stack?.stop();
  await docker?.remove();
});

const half = 'longhaul-half-started';

/** Creates a container; returns the path of the daemon's record of it, as it is until a start has succeeded. */
function startHalf(): string {
  docker.docker('create', '--name', half, '--network', 'none', docker.image, 'sleep', '600');
  return join(docker.data, 'containers', docker.docker('inspect', '--format', '{{.Id}}', half), 'config.v2.json');
}

testWithOwnDocker('the Docker daemon killed during a command: the command does not begin twice', async () => {
  const { held, outcome } = told.get(pause) ?? {};
  await outcome;
  expect(await toldTo((held as HeldProject).project, 's1-work')).toContainEqual(
    expect.stringContaining('interrupted: the sandbox stopped while it ran'),
  );
});

testWithOwnDocker.each(controls)('the Docker daemon killed during a command: $name', async (control) => {
  expect(told.has(control)).toBe(true);
  await told.get(control)?.outcome;
});

testWithOwnDocker('the Docker daemon killed during a verification: the verification is done again', async () => {
  const { project, folder } = verified;
  await letGoDuring(project, () => untilCompleted(project), docker.host);
  expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED']);
  const counts = { features: 1, commits: 2, decisions: 0, progressEntries: 2 };
  await expectUndamaged(project, stack.model, { folder, host: docker.host, ...counts });
});

testWithOwnDocker(
  'a sandbox whose start was cut off by the death of the Docker daemon can still be opened',
  async () => {
    expect(() => docker.docker('start', half)).toThrow(/already (?:exists|in use)/);
    const sandboxes = createSandboxes({ docker: connectDocker(docker.host), stack: 'half' });
    const owner = { project: 'half', owner: 'half', purpose: 'session' as const };
    const spec = { name: 'half-started', image: docker.image, owner };
    const sandbox = await sandboxes.open(spec);
    expect(await sandbox.run({ id: 'hello', script: 'echo here', timeoutMs: 60_000 })).toMatchObject({ exitCode: 0 });
    await sandboxes.close(spec.name);
  },
);

testWithOwnDocker('after all ends only the network gateway stays, for the next sandbox', () => {
  expect(docker.docker('ps', '--all', '--format', '{{.Names}}')).toMatch(/^(longhaul-gateway-\S+)?$/);
});
