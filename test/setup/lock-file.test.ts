import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';

interface Entry {
  link?: boolean;
  integrity?: string;
}

/** Optional parts for other platforms, which the registry did not have when the file was written; npm takes them unchecked there. */
const unchecked = ['darwin-arm64', 'linux-arm64-gnu', 'linux-arm64-musl', 'win32-arm64-msvc', 'win32-x64-msvc'].map(
  (platform) => `node_modules/@lancedb/lancedb-${platform}`,
);

test('what npm installs is what was written down, by its hash', () => {
  const text = readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  const without = Object.entries(packages).filter(([path, { link, integrity }]) => path && !link && !integrity);
  expect(without.map(([path]) => path)).toEqual(unchecked);
});
