import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import { controlsAt } from '../support/controls.ts';
import { expectUndamaged } from '../support/expect-undamaged.ts';
import { scriptOfHeld, startHeld } from '../support/held-project.ts';
import { untilAnswered } from '../support/moments.ts';
import { canStartOwnDocker, type OwnDockerDaemon, startOwnDocker } from '../support/own-docker-daemon.ts';
import { isRunningIn } from '../support/sandboxes-of.ts';
import { call, proposal, smallProject, writes } from '../support/scripts.ts';
import { startTestStack, type TestStack, waitFor } from '../support/test-stack.ts';

const features = [
  {
    name: 'counted',
    work: [
      call('run_command', { command: 'echo begun >> runs.txt; sleep 30; echo ended >> runs.txt' }),
      { ...writes('counted'), expect: ['interrupted: the sandbox was stopped while it ran'] },
    ],
    command: 'test "$(cat runs.txt)" = begun && grep -qx counted counted.txt',
  },
  { name: 'verified', command: 'sleep 5; grep -qx verified verified.txt' },
];

const script = { entries: [...smallProject(features).entries, ...scriptOfHeld().entries] };

const testWithOwnDocker = canStartOwnDocker() ? test : test.skip;
const image = process.env.SANDBOX_IMAGE ?? (await imageTag(packageRoot()));
let docker: OwnDockerDaemon | undefined;
let stack: TestStack;

beforeAll(async () => {
  if (!canStartOwnDocker()) return;
  docker = await startOwnDocker();
  await docker.load(image);
  const { host } = docker;
  const environment = () => ({ DOCKER_HOST: host, SANDBOX_IMAGE: image });
  stack = await startTestStack({ script, environment });
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await docker?.remove();
}, 60_000);

testWithOwnDocker(
  'the Docker daemon killed during a command and during a verification: no command begins twice, and all passes',
  async () => {
    const folder = join(stack.home, 'counted');
    const project = await stack.longhaul.startProject({
      goal: 'Count.',
      name: 'counted',
      folder,
      features: proposal(features),
    });
    const untilRuns = (sandbox: string, command: string) =>
      waitFor(`"${command}" to run in ${sandbox}`, 200_000, () =>
        isRunningIn(project.id, command, { host: docker?.host, sandbox }),
      );
    await untilAnswered(project, 's1-work', 1);
    await untilRuns('s1', 'sleep 30');
    await docker?.kill();
    await docker?.start();
    await untilRuns('s2-v1', 'sleep 5');
    await docker?.kill();
    await docker?.start();
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
    expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED', 'PASSED']);
    await expectUndamaged(project, stack.model, {
      folder,
      host: docker?.host,
      features: 2,
      commits: 3,
      decisions: 0,
      progressEntries: 3,
    });
    expect(docker?.docker('ps', '--all', '--quiet')).toBe('');
  },
  400_000,
);

testWithOwnDocker(
  'the Docker daemon killed during a command: what is told to a project meanwhile holds when the daemon is back',
  async () => {
    const host = docker?.host ?? '';
    const moment = 'a command';
    const projects = await Promise.all(
      controlsAt(moment).map(async (control, index) => {
        return { control, held: await startHeld(stack, `told-${index}`, { moment, after: control.after, host }) };
      }),
    );
    await docker?.kill();
    const outcomes = projects.map(async ({ control, held }) => control.expectHolds(held, await control.send(held)));
    await Promise.all([...outcomes, docker?.start()]);
  },
  600_000,
);
