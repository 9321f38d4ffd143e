import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { algorithmsOf, isKnownKey, readHostKeys } from '../../../../sandbox/docker/host/known-hosts.ts';

const key = Buffer.from('AAAAC3NzaC1lZDI1NTE5', 'base64');
const other = Buffer.from('AAAAB3NzaC1yc2EAAAAD', 'base64');
const line = (names: string, type = 'ssh-ed25519', value = key) =>
  `${names} ${type} ${value.toString('base64')} comment\n`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-known-hosts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function keysIn(text: string, host = 'build.example.org', port = 22) {
  const file = join(folder, 'known_hosts');
  writeFileSync(file, text);
  return readHostKeys([join(folder, 'none'), file], host, port);
}

test.each([
  ['the name', 'build.example.org'],
  ['one of several names', 'other,build.example.org,192.0.2.1'],
  ['a name in other letters', 'Build.Example.org'],
  ['a pattern', '*.example.org'],
  ['a pattern of single letters', 'b???d.example.org'],
  // Made by `ssh-keygen -H` of OpenSSH 9.2.
  ['a hash of the name', '|1|EuZbsTTQFaFgO/640n7TOXCPC0Q=|E5WFHH97ZAR4qPan7prLq0DqYsQ='],
])('a key is known under %s', (_, names) => {
  expect(isKnownKey(keysIn(line(names)), key)).toBe(true);
});

test.each([
  ['another name', line('build.example.com')],
  ['a pattern that it is excepted from', line('*.example.org,!build.example.org')],
  ['a name that its own only ends like', line('xbuild.example.org')],
  ['a dot taken for any letter', line('buildxexample.org')],
  ['another port', line('[build.example.org]:2222')],
  ['a comment', `#${line('build.example.org')}`],
  ['an authority, which signs other keys', line('@cert-authority build.example.org')],
  ['a key that was revoked', line('build.example.org') + line('@revoked *')],
  ['another key', line('build.example.org', 'ssh-rsa', other)],
  ['nothing', ''],
])('and not under %s', (_, text) => {
  expect(isKnownKey(keysIn(text), key)).toBe(false);
});

test('a host at another port has keys of its own', () => {
  const text = line('[build.example.org]:2222');
  expect(isKnownKey(keysIn(text, 'build.example.org', 2222), key)).toBe(true);
});

test('the server is asked for a key of a kind that is known', () => {
  expect(algorithmsOf(keysIn(line('build.example.org', 'ssh-rsa', other)))).toEqual([
    'rsa-sha2-512',
    'rsa-sha2-256',
    'ssh-rsa',
  ]);
  expect(algorithmsOf(keysIn(''))).toBeUndefined();
});
