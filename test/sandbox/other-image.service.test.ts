import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { followProgress } from '../../sandbox/image/follow-progress.ts';
import { pruneSandboxes } from '../../sandbox/prune-sandboxes.ts';
import { makeRepository } from './make-repository.ts';
import { createTestSandboxes, outputOf, testImage } from './test-sandboxes.ts';

const host = createTestSandboxes();
const image = `longhaul-test-other:${host.stack}`;

beforeAll(async () => {
  const context = pack();
  context.entry(
    { name: 'Dockerfile' },
    `FROM ${testImage}
USER root
RUN userdel agent && rm -rf /home/agent /workspace /usr/bin/rg /usr/bin/python3 /usr/bin/perl /usr/bin/node /usr/local/bin/node
LABEL longhaul.sandbox=0
ENTRYPOINT ["false"]
`,
  );
  context.finalize();
  const stream = await host.docker.buildImage(context as unknown as NodeJS.ReadableStream, { t: image });
  await followProgress(stream, () => undefined);
});
afterAll(async () => {
  await host.closeAll();
  await host.docker.getImage(image).remove({ force: true });
});

test("somebody else's image, with no user, folders or entry point of ours, makes a sandbox that works", async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' });
  const sandbox = await host.open({ image });
  expect(sandbox.origin).toBe('created');
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await outputOf(sandbox, 'look', 'id -u; echo $HOME; touch ~/x new.txt && git status --porcelain')).toBe(
    '1000\n/home/agent\n?? new.txt',
  );
  const { bundle, commit } = await sandbox.snapshot(repository.commit);
  expect(await repository.take(bundle, commit)).toContain('new.txt');
  await repository.remove();
});

test('an image without what the network needs is named, with what to do', async () => {
  await expect(host.open({ image, network: 'packages' })).rejects.toMatchObject({
    code: 'InterpreterMissing',
    message: expect.stringMatching(/Expected perl in the image longhaul-test-other.*--network none/),
  });
  const elsewhere = createSandboxes({ docker: host.docker, stack: host.stack, gatewayImage: image });
  await expect(elsewhere.open(host.spec({ network: ['elsewhere.example.org'] }))).rejects.toMatchObject({
    code: 'InterpreterMissing',
    message: expect.stringMatching(/Expected node in the image longhaul-test-other.*--network none/),
  });
});

test.each(['the sandbox beside it', 'nothing else'])(
  'a helper that a killed worker left, with %s, does not keep its volumes',
  async (left) => {
    const spec = host.spec({ image });
    const killed = createSandboxes({ docker: killedAtHelper(host.docker), stack: host.stack });
    await expect(killed.open(spec)).rejects.toThrow('The worker was killed.');
    if (left === 'nothing else') await host.docker.getContainer(`longhaul-${spec.name}`).remove({ force: true });
    const ours = async () => {
      const filters = { label: [`longhaul.name=${spec.name}`] };
      const containers = await host.docker.listContainers({ all: true, filters });
      return [containers.length, (await host.docker.listVolumes({ filters })).Volumes.length];
    };
    expect(await ours()).toEqual([left === 'nothing else' ? 1 : 2, 2]);
    expect((await host.sandboxes.list()).filter(({ name }) => name === spec.name)).toMatchObject([
      { owner: spec.owner, running: false },
    ]);
    expect(await pruneSandboxes(host.sandboxes, async ({ name }) => name !== spec.name)).toEqual([spec.name]);
    expect(await ours()).toEqual([0, 0]);
  },
);

/** A Docker whose caller is killed once the helper that prepares the volumes has been created. */
function killedAtHelper(docker: Docker): Docker {
  const dying = Object.create(docker) as Docker;
  const createContainer = async (options: Docker.ContainerCreateOptions) => {
    const container = await docker.createContainer(options);
    if (options.name !== undefined) return container;
    const dead = { start: () => Promise.reject(new Error('The worker was killed.')), remove: async () => undefined };
    return dead as unknown as Docker.Container;
  };
  return Object.assign(dying, { createContainer });
}
