import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { patientFetch } from '../patient-fetch.ts';
import { appendExchange, parseBody, type RecordedExchange } from './cassette.ts';
import { cleanPath, keepHeaders, leaveOutOfPieces, leaveOutSecrets, secretsOf } from './leave-out-secrets.ts';

export interface RecorderOptions {
  /** Created if it does not exist; each recorder writes one file into it. */
  folder: string;
  /** Texts that must not be recorded, such as the keys of all providers. */
  secrets: readonly string[];
  /** Called if an exchange could not be written; its answer is passed on all the same, since it is paid for. */
  warn?: (message: string) => void;
}

/** A `fetch` that records to the folder in the settings, without the keys of all providers; undefined if they name none. */
export function recorderOf(settings: {
  providers: Record<string, { apiKey?: string | undefined }>;
  recordTo?: string | undefined;
}): typeof fetch | undefined {
  if (settings.recordTo === undefined) return undefined;
  const secrets = Object.values(settings.providers).flatMap(({ apiKey }) => apiKey ?? []);
  return recordExchanges({ folder: settings.recordTo, secrets });
}

/**
 * A `fetch` that records each exchange, without secrets, once its body has ended. The caller gets the same response at the same time; a request that
 * got no answer at all is not recorded.
 * @throws the system's error if the folder cannot be created.
 */
export function recordExchanges({
  folder,
  secrets: known,
  warn = (message) => process.emitWarning(message),
}: RecorderOptions): typeof fetch {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}.yaml`);

  return async (input, init) => {
    const request = new Request(input instanceof Request ? input.clone() : input, init);
    const at = new Date().toISOString();
    const response = await patientFetch(input, init);
    const body = await request.text();
    const secrets = [...known, ...secretsOf(request.headers), ...secretsOf(response.headers)];
    const chunks: string[] = [];
    const write = async (brokeOff?: string): Promise<void> => {
      const exchange: RecordedExchange = {
        at,
        request: {
          method: request.method,
          path: cleanPath(new URL(request.url), secrets),
          headers: keepHeaders(request.headers),
          body: parseBody(leaveOutSecrets(body, secrets)),
        },
        response: {
          status: response.status,
          headers: keepHeaders(response.headers),
          chunks: leaveOutOfPieces(chunks, secrets),
          ...(brokeOff !== undefined && { brokeOff: leaveOutSecrets(brokeOff, secrets) }),
        },
      };
      await appendExchange(file, exchange).catch((error: Error) => {
        warn(`Could not record an exchange in ${file}: ${error.message}`);
      });
    };
    const { status, statusText, headers } = response;
    return new Response(listen(response.body, chunks, write), { status, statusText, headers });
  };
}

/** Passes a body on and keeps its pieces; `ended` is called once, with the reason if the body did not end by itself. */
function listen(
  body: ReadableStream<Uint8Array> | null,
  chunks: string[],
  ended: (brokeOff?: string) => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          chunks.push(decoder.decode(value, { stream: true }));
          return controller.enqueue(value);
        }
      } catch (error) {
        await ended(error instanceof Error ? error.message : String(error));
        return controller.error(error);
      }
      await ended();
      controller.close();
    },
    async cancel(reason) {
      await ended('the client left');
      await reader.cancel(reason);
    },
  });
}
