import { ModelError } from '../domain/model/model-error.ts';
import { quoteServer } from './quote-server.ts';

/** An event may hold a whole answer and its request: 128,000 tokens are under 1 MB. */
const maxEventBytes = 4 * 1024 * 1024;

/** 128,000 tokens are 128,000 events of 400 bytes: 51 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxEvents = 250_000;

/** 64 vectors of 8,192 numbers of 25 characters are 13 MB; some servers indent them. */
const maxVectorsBytes = 32 * 1024 * 1024;

/** Short events go together: each piece costs a turn of the stream. */
const pieceBytes = 4096;

/** What ends an event, as latin1. */
const blankLine = /\n\r?\n|\r\r/g;

type Guard = TransformStream<Uint8Array, Uint8Array>;

/**
 * A `fetch` for the answers of models. Its answer fails where it is read, by `ModelNotFound` if a web page comes or the server redirects; by
 * `ModelAnswerTooLong` if an event or the body of an error has more than 4 MiB, or the answer more than 64 MiB or 250,000 events.
 */
export function guardAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return guard(fetch, byEvent);
}

/** The same for embeddings, which come as one JSON text of at most 32 MiB. */
export function guardVectors(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return guard(fetch, () => byBytes(maxVectorsBytes));
}

function guard(fetch: typeof globalThis.fetch, read: () => Guard): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      const { body, status, statusText, headers } = response;
      const isPage = response.ok && /^text\/html\b/i.test(headers.get('content-type') ?? '');
      const guarded = body?.pipeThrough(response.ok && !isPage ? read() : byBytes(maxEventBytes)) ?? null;
      const answer = new Response(guarded, { status, statusText, headers });
      if (isPage) throw await webPage(new URL(String(input)), answer);
      return answer;
    } catch (error) {
      if (error instanceof ModelError) return failing(error);
      throw error;
    }
  };
}

/** The clients ask again, and may hide the cause, where their `fetch` throws; not where the body fails. */
function failing(error: ModelError): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error(error) }));
}

/**
 * Hands on whole events, a few at a time. The clients of OpenAI and Anthropic search all that they have of an event anew with each chunk, and copy
 * what is left of a chunk with each event, so that an endless event, or many short ones, would occupy the process.
 */
function byEvent(): Guard {
  const answer = { bytes: 0, events: 0 };
  /** The event that has not ended yet. */
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  /** The end of the last chunk, as latin1: a blank line may begin there. */
  let end = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = end + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
      let sent = 0;
      let ended = 0;
      const send = () => {
        if (ended === sent) return;
        controller.enqueue(Buffer.concat([...parts, chunk.subarray(sent, ended)]));
        parts = [];
        partBytes = 0;
        sent = ended;
      };
      for (const match of text.matchAll(blankLine)) {
        ended = match.index + match[0].length - end.length;
        answer.events += 1;
        if (ended - sent >= pieceBytes) send();
      }
      send();
      end = text.slice(Math.max(end.length + ended, text.length - 2));
      parts.push(chunk.subarray(ended));
      partBytes += chunk.length - ended;
      answer.bytes += chunk.length;
      if (partBytes > maxEventBytes) throw answerTooLong('an event of it has more than 4 MiB');
      if (answer.bytes > maxAnswerBytes) throw answerTooLong('it has more than 64 MiB');
      if (answer.events > maxEvents) throw answerTooLong('it has more than 250,000 events');
    },
    flush(controller) {
      if (partBytes > 0) controller.enqueue(Buffer.concat(parts));
    },
  });
}

/** For what is no stream of events. */
function byBytes(maxBytes: number): Guard {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw answerTooLong(`it has more than ${maxBytes / 1024 / 1024} MiB`);
      controller.enqueue(chunk);
    },
  });
}

/** Its beginning says which program answered. The address is named without its query, which may hold a key. */
async function webPage({ origin, pathname }: URL, page: Response): Promise<ModelError> {
  const reader = page.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  const beginning = quoteServer(new TextDecoder().decode(value));
  return new ModelError(
    `${origin}${pathname} answered with a web page, most likely because the base URL is wrong. It begins: ${beginning}`,
    { code: 'ModelNotFound' },
  );
}

/** The error for a server that sends more than any model answers. */
export function answerTooLong(what: string): ModelError {
  return new ModelError(`The model's answer is too long: ${what}.`, { code: 'ModelAnswerTooLong' });
}

/** The error for an answer that broke off, or that is not in the form of the provider's protocol. */
export function unreadableAnswer(what: string, cause?: unknown): ModelError {
  return new ModelError(`The model's answer was cut off or unreadable: ${what}`, { code: 'ModelUnreachable', cause });
}
