import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SetupError, type SetupErrorCode } from '../setup-error.ts';

/** One place to get a file from. */
export interface Source {
  name: string;
  /** The file's hash in hex. */
  sha256: string;
  /** Returns the path of the file that it fetched. */
  take(): Promise<string>;
}

/**
 * Takes a file from the first source that gives it with the right hash.
 * @throws {SetupError} with this code if none does; its message says what each source answered, and ends with the advice.
 */
export async function takeFromSources(
  sources: Source[],
  options: { what: string; code: SetupErrorCode; advice?: string; onTry(name: string): void; signal: AbortSignal },
): Promise<{ file: string; from: string }> {
  const { what, code, advice = '', onTry, signal } = options;
  const failures: Error[] = [];
  for (const { name, sha256, take } of sources) {
    onTry(name);
    try {
      const file = await take();
      await expectHash(file, sha256);
      return { file, from: name };
    } catch (error) {
      signal.throwIfAborted();
      failures.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  const answers = failures.map(({ message }) => `\n  ${message}`).join('');
  throw new SetupError(code, `Could not download ${what} from either of two sources.${answers}${advice}`, {
    cause: new AggregateError(failures),
  });
}

/** Throws unless the file has this SHA-256 hash, in hex. */
async function expectHash(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual !== expected) throw new Error(`expected a file with SHA-256 ${expected}, got ${actual}`);
}

/** Removes what killed set-ups left; the caller holds the lock, so no other set-up is at work here. */
export async function removePartials(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.endsWith('.partial'));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Requests a file; throws with the reason if it does not arrive. */
export async function request(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${error.message}${cause}`, { cause: error });
  });
  if (!response.ok) throw new Error(`expected ${url} to answer, got ${response.status} ${response.statusText}`);
  return response;
}
