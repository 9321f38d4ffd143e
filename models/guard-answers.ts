import { ModelError } from '../domain/model/model-error.ts';
import { preview } from '../domain/storable-text.ts';

/**
 * The clients of OpenAI and Anthropic search all that they have of a line anew with each chunk, so that an endless one would occupy the process. The
 * longest honest line is an event that holds a whole answer and its request: 128,000 tokens are under 1 MB.
 */
const maxLineBytes = 4 * 1024 * 1024;

const lineFeed = 10;

/** Of a page that is no answer: characters that its error quotes. */
const quoted = 200;

/**
 * A `fetch` for the answers of models.
 * @throws {ModelError} `ModelNotFound` if a web page comes instead; `ModelAnswerTooLong`, from the body, if a line has more than 4 MiB, or all of the
 *   body of an error.
 */
export function guardAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    const guarded = body?.pipeThrough(bound({ byLine: response.ok })) ?? null;
    const answer = new Response(guarded, { status, statusText, headers });
    if (response.ok && /^text\/html\b/i.test(headers.get('content-type') ?? ''))
      throw await webPage(new URL(String(input)), answer);
    return answer;
  };
}

function bound({ byLine }: { byLine: boolean }): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const last = byLine ? chunk.lastIndexOf(lineFeed) : -1;
      bytes = last === -1 ? bytes + chunk.length : chunk.length - last - 1;
      if (bytes > maxLineBytes) throw answerTooLong('a line of it has more than 4 MiB');
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
