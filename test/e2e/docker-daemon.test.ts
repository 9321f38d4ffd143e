import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectHandle } from '../../client/index.ts';
import { packageRoot } from '../../config/package-root.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import { expectUndamaged } from '../support/expect-undamaged.ts';
import { canStartOwnDocker, type OwnDockerDaemon, startOwnDocker } from '../support/own-docker-daemon.ts';
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
  stack = await startTestStack({ script: smallProject(features), environment });
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
    await untilTurn(project, 's1-work', 1);
    await untilRuns('sleep 30');
    await docker?.kill();
    await docker?.start();
    await untilRuns('sleep 5', 's2-v1');
    await docker?.kill();
    await docker?.start();
    expect(await project.waitForEnd({ orRest: true })).toMatchObject({ status: 'COMPLETED' });
    expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED', 'PASSED']);
    await expectUndamaged(project, stack.model, { folder, features: 2, commits: 3, decisions: 0, progressEntries: 3 });
    expect(docker?.docker('ps', '--all', '--quiet')).toBe('');
  },
  180_000,
);

async function untilTurn(project: ProjectHandle, run: string, turn: number): Promise<void> {
  await waitFor(`turn ${turn} of ${run}`, 60_000, async () =>
    (await project.log()).some(
      ({ data }) => data.type === 'turn-completed' && data.run === `${project.id}-${run}` && data.turn === turn,
    ),
  );
}

/** Until a sandbox, of that name's end, runs the command. */
async function untilRuns(command: string, sandbox = ''): Promise<void> {
  await waitFor(`"${command}" to run`, 60_000, () =>
    (docker?.docker('ps', '--format', '{{.Names}}') ?? '')
      .split('\n')
      .filter((name) => name !== '' && name.endsWith(sandbox))
      .some((name) => docker?.docker('top', name).includes(command)),
  );
}
