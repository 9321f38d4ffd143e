import { expect, test } from '@jest/globals';
import { findUnlocked, isLockFile } from '../../../domain/verification/lock-files.ts';

const hash = (letter: string) => `sha512-${letter.repeat(86)}==`;
const npm = (...hashes: string[]) =>
  JSON.stringify({ packages: Object.fromEntries(hashes.map((one, index) => [`p${index}`, { integrity: one }])) });

test('a lock file is known by its name', () => {
  const paths = ['package-lock.json', 'app/uv.lock', 'requirements-dev.txt', 'locks/notes.txt', 'package.json'];
  expect(paths.filter(isLockFile)).toEqual(['package-lock.json', 'app/uv.lock', 'requirements-dev.txt']);
});

test('added packages are no change; a package that is gone, or has another content, is one', () => {
  expect(findUnlocked(npm(hash('a')), npm(hash('b'), hash('a')))).toEqual([]);
  expect(findUnlocked(npm(hash('a'), hash('b')), npm(hash('a'), hash('c')))).toEqual([hash('b')]);
});

test('what a lock file says of the request is not compared', () => {
  const poetry = (request: string, content: string) =>
    `[[package]]\nfiles = [{ hash = "sha256:${content.repeat(64)}" }]\n[metadata]\ncontent-hash = "${request.repeat(64)}"\n`;
  expect(findUnlocked(poetry('1', 'a'), poetry('2', 'a'))).toEqual([]);
  expect(findUnlocked(poetry('1', 'a'), poetry('1', 'b'))).toEqual([`sha256:${'a'.repeat(64)}`]);
});

test('a version that pip is asked for stays', () => {
  expect(findUnlocked('pytest==8.1\n', 'pytest==8.1\nrich==13.0\n')).toEqual([]);
  expect(findUnlocked('pytest==8.1 # runner\n', 'pytest==8.2\n')).toEqual(['pytest==8.1']);
});
