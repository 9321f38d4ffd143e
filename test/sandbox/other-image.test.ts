import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pack } from 'tar-stream';
import { packageRoot } from '../../config/package-root.ts';
import { followProgress } from '../../sandbox/image/follow-progress.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import { makeRepository } from './make-repository.ts';
import { createTestSandboxes, outputOf } from './test-sandboxes.ts';

const host = createTestSandboxes();
const image = `longhaul-test-other:${host.stack}`;

beforeAll(async () => {
  const context = pack();
  context.entry(
    { name: 'Dockerfile' },
    `FROM ${process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()))}
USER root
RUN userdel agent && rm -rf /home/agent /workspace /usr/bin/rg /usr/bin/python3
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
