import { appendFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';

test('a change of the Dockerfile makes another tag, and nothing else does', async () => {
  const root = await mkdtemp(join(tmpdir(), 'longhaul-test-tag-'));
  await mkdir(join(root, 'sandbox'));
  await cp(join(packageRoot(), 'sandbox', 'Dockerfile'), join(root, 'sandbox', 'Dockerfile'));
  const tag = await imageTag(root);
  expect(tag).toMatch(/^longhaul-sandbox:[0-9a-f]{12}$/);
  expect(tag).toBe(await imageTag(packageRoot()));
  await appendFile(join(root, 'sandbox', 'Dockerfile'), '# changed\n');
  expect(await imageTag(root)).not.toBe(tag);
  await rm(root, { recursive: true });
});
