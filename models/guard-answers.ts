import { ModelError } from '../domain/model/model-error.ts';
import { isNestedDeeper, maxNesting } from '../domain/nesting.ts';
import { quoteServer } from '../domain/quote-server.ts';

/** An event may hold a whole answer and its request: 128,000 tokens are under 1 MB. */
const maxEventBytes = 4 * 1024 * 1024;

/** 128,000 tokens are 128,000 events of 400 bytes: 51 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxEvents = 250_000;

/** 64 vectors of 8,192 numbers of 25 characters are 13 MB; some servers indent them. */
const maxVectorsBytes = 32 * 1024 * 1024;

/** A model's event has one or two; servers that wait send comments between them. */
const maxLines = 10_000;

/** Short events go together: each piece costs a turn of the stream. */
const pieceCharacters = 4096;

type Guard = TransformStream<Uint8Array, Uint8Array>;

/**
 * A `fetch` for the answers of models. Its answer fails where it is read, by `ModelNotFound` if a web page comes or the server redirects; by
 * `ModelAnswerTooLong` if an event has more than 4 MiB or 10,000 lines, the body of an error more than 4 MiB, or the answer more than 64 MiB or 250,000
 * events; by `ModelUnreachable` where an event is not JSON, or is nested more than 100 levels deep.
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
 * Hands on whole events, a few at a time, written anew: the clients of OpenAI and Anthropic search all that they have of an event with each chunk, and
 * copy what is left of it with each line, so that an endless event, or one of many lines, would occupy the process. They print what is not JSON.
 */
function byEvent(): Guard {
  let bytes = 0;
  const decoder = new TextDecoder();
  const lines = new Lines();
  const events = new Events();
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) throw answerTooLong('it has more than 64 MiB');
      let piece = '';
      const send = () => {
        if (piece) controller.enqueue(Buffer.from(piece));
        piece = '';
      };
      for (const line of lines.take(decoder.decode(chunk, { stream: true }))) {
        piece += events.take(line);
        if (piece.length >= pieceCharacters) send();
      }
      send();
    },
  });
}

/** Cuts a text that comes in pieces into its lines, which end as the clients have it: with any of the usual line breaks. */
class Lines {
  /** Of the line that has not ended yet. */
  #parts: string[] = [];
  #length = 0;
  /** Whether a line break may go on with the next piece. */
  #isAfterReturn = false;

  *take(text: string): Generator<string> {
    const fresh = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text) this.#isAfterReturn = text.endsWith('\r');
    for (const [index, part] of fresh.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) yield this.#end();
      this.#length += part.length;
      requireShortEvent(this.#length);
      if (part) this.#parts.push(part);
    }
  }

  #end(): string {
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

/** Puts the events of a stream together from its lines. Comments, which keep a connection open, are left out. */
class Events {
  #count = 0;
  #lines = 0;
  #bytes = 0;
  #name: string | undefined;
  #data: string[] = [];
  /** Whether the server has said that nothing follows. */
  #isDone = false;

  /** What is to be handed on after a line: a whole event, or nothing. */
  take(line: string): string {
    if (line === '') return this.#end();
    this.#lines += 1;
    this.#bytes += Buffer.byteLength(line);
    if (this.#lines > maxLines) throw answerTooLong(`an event of it has more than ${maxLines} lines`);
    requireShortEvent(this.#bytes);
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') this.#name = value;
    if (field === 'data') this.#data.push(value);
    return '';
  }

  #end(): string {
    this.#count += 1;
    if (this.#count > maxEvents) throw answerTooLong('it has more than 250,000 events');
    const [name, data] = [this.#name, this.#data];
    this.#lines = 0;
    this.#bytes = 0;
    this.#name = undefined;
    this.#data = [];
    this.#isDone ||= data[0]?.startsWith('[DONE]') ?? false;
    if (this.#isDone || data.every((line) => line.trim() === '')) return '';
    requireJson(data.join('\n'));
    const head = name === undefined ? '' : `event: ${name}\n`;
    return `${head}${data.map((line) => `data: ${line}\n`).join('')}\n`;
  }
}

function requireShortEvent(bytes: number): void {
  if (bytes > maxEventBytes) throw answerTooLong('an event of it has more than 4 MiB');
}

function requireJson(data: string): void {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw unreadableAnswer(`an event of it is not JSON: ${quoteServer(data)}`);
  }
  if (isNestedDeeper(event)) throw unreadableAnswer(`an event of it is nested more than ${maxNesting} levels deep`);
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
