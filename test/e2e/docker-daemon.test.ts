import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { canStartOwnDocker, type OwnDockerDaemon, startOwnDocker } from '../support/servers/own-docker-daemon.ts';
import { abandon, pause, revert } from '../support/stack/controls.ts';
import { scriptOfHeld, startHeld } from '../support/stack/held-project.ts';
import { untilAnswered } from '../support/stack/moments.ts';
import { call, proposal, smallProject, writes } from '../support/stack/scripts.ts';
import { untilCompleted } from '../support/stack/side-by-side.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';
import { isRunningIn } from '../support/work/sandboxes-of.ts';

const features = [
  {
    name: 'counted',
    work: [
      call('run_command', { command: 'echo begun >> runs.txt; sleep 30; echo ended >> runs.txt' }),
      { ...writes('counted'), expect: ['interrupted: the sandbox stopped while it ran'] },
    ],
    command: 'test "$(cat runs.txt)" = begun && grep -qx counted counted.txt',
  },
  { name: 'verified', command: 'sleep 8; grep -qx verified verified.txt' },
];

const script = { entries: [...smallProject(features).entries, ...scriptOfHeld().entries] };

const testWithOwnDocker = canStartOwnDocker() ? test : test.skip;
let docker: OwnDockerDaemon | undefined;
let stack: TestStack;

beforeAll(async () => {
  if (!canStartOwnDocker()) return;
  docker = await startOwnDocker();
  stack = await startTestStack({ script, environment: docker.environment });
});
afterAll(async () => {
  await stack?.stop();
  await docker?.remove();
});

testWithOwnDocker(
  'the Docker daemon killed during a command and during a verification: no command begins twice, and all features pass',
  async () => {
    const folder = join(stack.home, 'projects', 'counted');
    const project = await stack.longhaul.startProject({
      goal: 'Count.',
      name: 'counted',
      folder,
      features: proposal(features),
    });
    const untilRuns = (sandbox: string, command: string) =>
      waitFor(`"${command}" to run in ${sandbox}`, () =>
        isRunningIn(project.id, command, { host: docker?.host, sandbox }),
      );
    await untilAnswered(project, 's1-work', 1);
    await untilRuns('s1', 'sleep 30');
    await docker?.kill();
    await docker?.start();
    await untilRuns('s2-v1-step', 'sleep 8');
    await docker?.kill();
    await docker?.start();
    await untilCompleted(project);
    expect((await project.sessions()).map(({ status }) => status)).toEqual(['PASSED', 'PASSED']);
    await expectUndamaged(project, stack.model, {
      folder,
      host: docker?.host,
      features: 2,
      commits: 3,
      decisions: 0,
      progressEntries: 3,
    });
    // The network gateway stays for the next sandbox, until a prune or `longhaul down`.
    expect(docker?.docker('ps', '--all', '--format', '{{.Names}}')).toMatch(/^(longhaul-gateway-\S+)?$/);
  },
  900_000,
);

testWithOwnDocker(
  'the Docker daemon killed during a command: what is sent to a project meanwhile holds when the daemon is back',
  async () => {
    const host = docker?.host ?? '';
    const moment = 'a command';
    const projects = await Promise.all(
      [pause, revert, abandon].map(async (control, index) => {
        return { control, held: await startHeld(stack, `told-${index}`, { ...control, moment, host }) };
      }),
    );
    await docker?.kill();
    const outcomes = projects.map(async ({ control, held }) => control.expectHolds(held, await control.send(held)));
    await Promise.all([...outcomes, docker?.start()]);
  },
  900_000,
);

testWithOwnDocker(
  'a sandbox whose start was cut off by the death of the Docker daemon can still be opened',
  async () => {
    if (!docker) return;
    const { image } = docker;
    const sandboxes = createSandboxes({ docker: connectDocker(docker.host), stack: 'half' });
    const spec = {
      name: 'half-started',
      image,
      owner: { project: 'half', owner: 'half', purpose: 'session' as const },
    };
    const name = 'longhaul-half-started';
    // The daemon's record of the container as it is until a start has succeeded.
    docker.docker('create', '--name', name, '--network', 'none', image, 'sleep', '600');
    const id = docker.docker('inspect', '--format', '{{.Id}}', name);
    const record = join(docker.data, 'containers', id, 'config.v2.json');
    const before = readFileSync(record);
    docker.docker('start', name);
    await docker.kill();
    writeFileSync(record, before);
    await docker.start();
    expect(() => docker?.docker('start', name)).toThrow(/already (?:exists|in use)/);
    const sandbox = await sandboxes.open(spec);
    expect(await sandbox.run({ id: 'hello', script: 'echo here', timeoutMs: 60_000 })).toMatchObject({ exitCode: 0 });
    await sandboxes.close(spec.name);
  },
);
