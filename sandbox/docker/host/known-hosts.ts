import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** The files that OpenSSH reads by default. */
export const knownHostsFiles = [
  join(homedir(), '.ssh', 'known_hosts'),
  join(homedir(), '.ssh', 'known_hosts2'),
  '/etc/ssh/ssh_known_hosts',
];

interface HostKey {
  type: string;
  /** As the server sends it. */
  key: Buffer;
  revoked: boolean;
}

/** The keys that such files have for a host, revoked ones included; see sshd(8). Certificates of authorities are left out. */
export function readHostKeys(files: string[], host: string, port: number): HostKey[] {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  const lines = files.flatMap((file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []));
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const [names = '#', type = '', key = ''] = words;
    if (names.startsWith('#') || marker === '@cert-authority' || !isNamed(names, name)) return [];
    return [{ type, key: Buffer.from(key, 'base64'), revoked: marker === '@revoked' }];
  });
}

/** Whether a server's key is one that the files have for its host, and none that they revoke. */
export function isKnownKey(keys: HostKey[], key: Buffer): boolean {
  const same = keys.filter((one) => one.key.equals(key));
  return same.length > 0 && !same.some(({ revoked }) => revoked);
}

/** The signature algorithms of the keys, so that the server shows one of those that are known; undefined if none is. */
export function algorithmsOf(keys: HostKey[]): ServerHostKeyAlgorithm[] | undefined {
  const types = [...new Set(keys.filter(({ revoked }) => !revoked).map(({ type }) => type))];
  const algorithms = types.flatMap((type) => (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256', type] : [type]));
  return algorithms.length ? (algorithms as ServerHostKeyAlgorithm[]) : undefined;
}

/** `names` is a hash of a name, or a list of patterns of which none that begins with `!` may match. */
function isNamed(names: string, name: string): boolean {
  const [, salt, hash] = /^\|1\|([^|]+)\|(.+)$/.exec(names) ?? [];
  if (salt !== undefined && hash !== undefined)
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
  const patterns = names.toLowerCase().split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  const source = pattern
    .replaceAll(/[\\^$+.()|{}[\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
