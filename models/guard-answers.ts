import { ModelError } from '../domain/model/model-error.ts';
import { preview } from '../domain/storable-text.ts';

/** An event may hold a whole answer and its request: 128,000 tokens are under 1 MB. */
const maxEventBytes = 4 * 1024 * 1024;

/** 128,000 tokens are 128,000 events of 400 bytes: 51 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxEvents = 250_000;

/** Short events go together: each piece costs a turn of the stream. */
const pieceBytes = 4096;

/** What ends an event, as latin1. */
const blankLine = /\n\r?\n|\r\r/g;

/** Of a page that is no answer: characters that its error quotes. */
const quoted = 200;

/**
 * A `fetch` for the answers of models.
 * @throws {ModelError} `ModelNotFound` if a web page comes instead; `ModelAnswerTooLong`, from the body, if an event or the body of an
 *   error has more than 4 MiB, or the answer more than 64 MiB or 250,000 events.
 */
export function guardAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    const guarded = body?.pipeThrough(response.ok ? byEvent() : byBytes()) ?? null;
    const answer = new Response(guarded, { status, statusText, headers });
    if (response.ok && /^text\/html\b/i.test(headers.get('content-type') ?? ''))
      throw await webPage(new URL(String(input)), answer);
    return answer;
  };
}

/**
 * Hands on whole events, a few at a time. The clients of OpenAI and Anthropic search all that they have of an event anew with each chunk, and copy
 * what is left of a chunk with each event, so that an endless event, or many short ones, would occupy the process.
 */
function byEvent(): TransformStream<Uint8Array, Uint8Array> {
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
function byBytes(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxEventBytes) throw answerTooLong('it has more than 4 MiB');
      controller.enqueue(chunk);
    },
  });
}

/** Its beginning says which program answered. The address is named without its query, which may hold a key. */
async function webPage({ origin, pathname }: URL, page: Response): Promise<ModelError> {
  const reader = page.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  const beginning = preview(new TextDecoder().decode(value), quoted);
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
