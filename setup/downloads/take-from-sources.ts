import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
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
