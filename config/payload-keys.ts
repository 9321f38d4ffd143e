import { ConfigurationError } from '../domain/configuration-error.ts';

/** A key of AES-256-GCM: 32 bytes. Its id is stored beside what it encrypts. */
export interface PayloadKey {
  id: string;
  key: Uint8Array;
}

const expected =
  'Expected LONGHAUL_PAYLOAD_KEYS to be keys such as "2026-11:<32 bytes in base64>, 2026-10:<...>", the first of which encrypts';

/**
 * Reads `id:base64, id:base64`; the first key encrypts, all decrypt.
 * @throws {ConfigurationError} which repeats no key.
 */
export function readPayloadKeys(text: string | undefined): PayloadKey[] {
  const keys = (text ?? '')
    .split(',')
    .flatMap((entry, index) => (entry.trim() ? [readKey(entry.trim(), index + 1)] : []));
  const twice = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) !== index);
  if (twice) throw new ConfigurationError(`${expected}; got two keys with the id "${twice.id}".`);
  return keys;
}

function readKey(entry: string, position: number): PayloadKey {
  const [, id, encoded] = /^([\w.-]{1,64}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? [];
  if (id === undefined || encoded === undefined) throw new ConfigurationError(`${expected}; entry ${position} is not.`);
  const key = Buffer.from(encoded, 'base64');
  if (key.length === 32) return { id, key };
  throw new ConfigurationError(
    `${expected}; the key "${id}" has ${key.length} bytes. \`openssl rand -base64 32\` makes one.`,
  );
}
