import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdSecrets } from '../../domain/secrets/scrub.ts';
import { ClientError } from '../errors.ts';

/** Fewer characters could be guessed. */
const minLength = 20;

/**
 * The token in a file, which only its owner may read; it is made if there is none.
 * @throws {ClientError} `InvalidInput` if the file has no token.
 */
export async function readToken(file: string): Promise<{ token: string; isNew: boolean }> {
  const made = randomBytes(32).toString('base64url');
  await mkdir(dirname(file), { recursive: true });
  const isNew = await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  const token = (await readFile(file, 'utf8')).trim();
  if (token.length < minLength || /\s/.test(token)) {
    throw new ClientError(
      'InvalidInput',
      `Expected a token of at least ${minLength} characters in ${file}. Remove the file, and a new token is made.`,
    );
  }
  holdSecrets([token]);
  return { token, isNew };
}
