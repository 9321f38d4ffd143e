import { isDeepStrictEqual } from 'node:util';
import { CassetteError, parseBody, type RecordedExchange, readCassette } from '../../models/cassette/cassette.ts';
import { cleanPath, leaveOutSecrets } from '../../models/cassette/leave-out-secrets.ts';
import { firstDifference } from './first-difference.ts';

/** A cassette being replayed. */
export interface CassetteReplay {
  /** For a provider's client; answers each request with the first unused exchange of the same method, path and body. */
  fetch: typeof fetch;
  /** @throws {CassetteError} if a request was refused, even if its error was caught, or if exchanges are left. */
  finish(): void;
}

/**
 * Replays what `LONGHAUL_RECORD` recorded, without a network. A request that matches no remaining exchange is refused with an error that names the
 * difference.
 * @throws {CassetteError} if the file is not a cassette.
 */
export async function replayCassette(file: string): Promise<CassetteReplay> {
  const left = await readCassette(file);
  const refused: CassetteError[] = [];

  function take(asked: Pick<RecordedExchange['request'], 'method' | 'path' | 'body'>): RecordedExchange {
    const index = left.findIndex(({ request: { method, path, body } }) =>
      isDeepStrictEqual({ method, path, body }, asked),
    );
    const [found] = index === -1 ? [] : left.splice(index, 1);
    if (found) return found;
    const [next] = left;
    const start = `${file} has no exchange for ${asked.method} ${asked.path}`;
    const error = new CassetteError(
      next ? `${start}. Its next one is different: ${firstDifference(next.request, asked)}.` : `${start}: it ran out.`,
    );
    refused.push(error);
    throw error;
  }

  return {
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const { response } = take({
        method: request.method,
        path: cleanPath(new URL(request.url), []),
        body: parseBody(leaveOutSecrets(await request.text(), [])),
      });
      return new Response(play(response), { status: response.status, headers: response.headers });
    },
    finish() {
      if (refused[0]) throw refused[0];
      if (left.length) throw new CassetteError(`${left.length} exchanges of ${file} were not asked for.`);
    },
  };
}

/** The recorded body, piece by piece, broken off where the original was. */
function play({ chunks, brokeOff }: RecordedExchange['response']): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (!done) controller.enqueue(encoder.encode(value));
      else if (brokeOff === undefined) controller.close();
      else controller.error(new Error(`${brokeOff} (recorded)`));
    },
  });
}
