import type { Embedder } from '../../domain/memory/embedder.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import { findModelError, type ProviderOptions } from '../create-provider.ts';
import { guardVectors } from '../guard-answers.ts';
import { createOpenAiClient } from '../openai/openai-client.ts';
import { sortOpenAiError } from '../openai/sort-openai-error.ts';
import { patientFetch } from '../patient-fetch.ts';
import { type EmbeddingCall, followCalls } from './embedding-call.ts';
import { toUnitLength } from './mean-of-tokens.ts';

/** Texts per request. OpenAI takes 2,048 texts and 300,000 tokens at once; smaller servers take less. */
const textsOfRequest = 64;

/** Maximum characters of one text; as English prose, they are within the 8,192 tokens that OpenAI's models take. */
const charactersOfText = 24_000;

/** Characters that every model takes; a text this short is refused for another reason. */
const alwaysFit = 100;

/** Timeout of a request, in milliseconds. */
const timeoutMs = 20_000;
/** Somebody waits for a question: without a vector within about ten seconds, the search is by words. */
const ofQuestion = { maxRetries: 1, timeout: 5_000 };
/** Or for the writing of one memory, such as an agent's call: without a vector within about fourteen seconds, it is stored without. */
const ofMemory = { maxRetries: 2, timeout: 4_000 };

/**
 * Embeddings of OpenAI, or of a server that speaks its protocol (Ollama, vLLM). Makes one call to learn the number of dimensions; `onCall` receives
 * every HTTP call. Of a text that is too long for the model, only the beginning is embedded.
 * @throws {ModelError} if it does not answer.
 */
export async function openOpenAiEmbedder(
  provider: { model: string } & ProviderOptions,
  onCall: (call: EmbeddingCall) => void = () => {},
): Promise<Embedder> {
  const client = createOpenAiClient(provider).withOptions({ maxRetries: 3, timeout: timeoutMs });
  const model = `${provider.name}/${provider.model}`;

  async function request(input: string[], options: Partial<typeof ofQuestion> = {}): Promise<number[][]> {
    const calls = followCalls(model, provider.fetch ?? patientFetch, onCall);
    try {
      const wanted = { model: provider.model, input, encoding_format: 'float' as const };
      const {
        data,
        usage,
        _request_id: requestId,
      } = await client.withOptions({ fetch: guardVectors(calls.fetch) }).embeddings.create(wanted, options);
      calls.answered(usage?.prompt_tokens, requestId ?? null);
      return data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => toUnitLength(embedding));
    } catch (error) {
      const sorted = findModelError(error) ?? sortOpenAiError(provider.name, error);
      calls.failed(sorted ?? new ModelError(String(error), { code: 'ModelUnreachable', cause: error }));
      throw sorted ?? error;
    }
  }

  /** How many tokens a text has depends on its language and the model: what is too much for a request, or for the model, is halved. */
  async function requestFitting(input: string[], options: Partial<typeof ofQuestion>): Promise<number[][]> {
    try {
      const vectors = await request(input, options);
      if (vectors.length === input.length) return vectors;
      const message = `Expected ${input.length} vectors of ${provider.name}, got ${vectors.length}.`;
      throw new ModelError(message, { code: 'ModelServerError' });
    } catch (error) {
      const [first = ''] = input;
      if (!isRefused(error) || (input.length === 1 && first.length <= alwaysFit)) throw error;
      if (input.length === 1) return requestFitting([beginningOf(first, Math.ceil(first.length / 2))], options);
      const half = Math.ceil(input.length / 2);
      const vectors = await requestFitting(input.slice(0, half), options);
      return vectors.concat(await requestFitting(input.slice(half), options));
    }
  }

  const [probe] = await request(['dimensions']);
  if (!probe?.length) {
    throw new ModelError(`${provider.name} answered without a vector for ${provider.model}.`, {
      code: 'ModelRequestRefused',
    });
  }
  return {
    model,
    dimensions: probe.length,
    async embed(texts, purpose) {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += textsOfRequest) {
        const batch = texts.slice(from, from + textsOfRequest);
        const input = batch.map((text) => beginningOf(text, charactersOfText));
        const options = texts.length === 1 ? ofMemory : {};
        vectors.push(...(await requestFitting(input, purpose === 'query' ? ofQuestion : options)));
      }
      return vectors;
    },
  };
}

/** Servers refuse an empty text and lone surrogates. */
function beginningOf(text: string, characters: number): string {
  return text.slice(0, characters).toWellFormed() || ' ';
}

/** Whether a shorter request might be answered. Each server says in its own words that something is too long, or only that it is invalid. */
function isRefused(error: unknown): boolean {
  return error instanceof ModelError && (error.code === 'ModelRequestRefused' || error.code === 'ModelContextTooLong');
}
