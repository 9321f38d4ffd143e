import { expectHash } from './expect-hash.ts';

/** One place to get a file from. */
export interface Source {
  name: string;
  /** The file's hash in hex. */
  sha256: string;
  /** Returns the path of the file that it fetched. */
  take(): Promise<string>;
}

/** Thrown if no source gave the file; the message has a line for each, with what it said. */
export class NoSourceError extends AggregateError {
  override name = 'NoSourceError';
}

/**
 * Takes a file from the first source that gives it with the right hash.
 * @throws {NoSourceError} if none does.
 */
export async function takeFromSources(
  sources: Source[],
  options: { onTry(name: string): void; signal: AbortSignal },
): Promise<{ file: string; from: string }> {
  const failures: Error[] = [];
  for (const { name, sha256, take } of sources) {
    options.onTry(name);
    try {
      const file = await take();
      await expectHash(file, sha256);
      return { file, from: name };
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  throw new NoSourceError(failures, failures.map((failure) => `  ${failure.message}`).join('\n'));
}
