import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseLines, parseStanzas, readAptSources } from '../../../sandbox/image/apt-sources.ts';
import { chooseDebianMirror, withoutCredentials } from '../../../sandbox/image/debian-mirror.ts';

const deb822 = `# a comment
Types: deb deb-src
URIs: http://mirror.example/debian
# another
Suites: bookworm
 bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://security.example/debian-security
Suites: bookworm-security
Components: main

Types: deb
Enabled: no
URIs: http://off.example/debian
Suites: bookworm
Components: main
`;

test('both formats of apt sources are read, comments and disabled sources left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-test-apt-'));
  await mkdir(join(folder, 'sources.list.d'));
  await writeFile(
    join(folder, 'sources.list'),
    '# deb http://old.example/debian bookworm main\ndeb [arch=amd64 trusted=yes] http://list.example/debian bookworm main # why\ndeb-src http://src.example bookworm main\n',
  );
  await writeFile(join(folder, 'sources.list.d', 'debian.sources'), deb822);
  await writeFile(join(folder, 'sources.list.d', 'off.list.disabled'), 'deb http://disabled.example bookworm main\n');
  expect((await readAptSources(folder)).map(({ uri, suite, trusted }) => `${uri} ${suite} ${trusted}`)).toEqual([
    'http://list.example/debian bookworm true',
    'http://mirror.example/debian bookworm false',
    'http://mirror.example/debian bookworm-updates false',
    'http://security.example/debian-security bookworm-security false',
  ]);
  await rm(folder, { recursive: true });
});

test('a machine without apt has no sources', async () => {
  expect(await readAptSources('/nonexistent')).toEqual([]);
});

test('the mirror of the release is the one that the machine uses, with its updates', () => {
  expect(chooseDebianMirror(parseStanzas(deb822), 'bookworm')).toEqual({
    uri: 'http://mirror.example/debian',
    sources: [
      'deb http://mirror.example/debian bookworm main',
      'deb http://mirror.example/debian bookworm-updates main',
      'deb http://security.example/debian-security bookworm-security main',
    ],
  });
});

test('a machine of another Debian release uses its mirror for ours; its third-party sources are never taken', () => {
  const sources = parseLines(
    'deb http://apt.example/tool nodistro main\ndeb http://mirror.example/debian trixie main\ndeb cdrom:[x]/ bookworm main',
  );
  expect(chooseDebianMirror(sources, 'bookworm')).toEqual({
    uri: 'http://mirror.example/debian',
    sources: [
      'deb http://mirror.example/debian bookworm main',
      'deb http://mirror.example/debian bookworm-updates main',
    ],
  });
});

test('a machine that knows no Debian uses the public mirror', () => {
  const sources = parseLines('deb http://archive.example/ubuntu noble main universe');
  expect(chooseDebianMirror(sources, 'bookworm').uri).toBe('http://deb.debian.org/debian');
});

test('a password in the address of a mirror does not stay in the image', () => {
  expect(withoutCredentials('deb http://user:secret@mirror.example/debian bookworm main')).toBe(
    'deb http://mirror.example/debian bookworm main',
  );
});
