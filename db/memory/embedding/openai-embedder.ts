import OpenAI from 'openai';
import { clientSettings, type ProviderSettings } from '../../../models/create-provider.ts';
import { ModelError } from '../../../models/model-error.ts';
import { sortOpenAiError } from '../../../models/sort-openai-error.ts';
import type { Embedder } from './embedder.ts';
import { toUnitLength } from './to-unit-length.ts';

/** OpenAI takes 2,048 texts and 300,000 tokens at once; smaller servers less. */
const textsOfRequest = 64;

/** Characters of one text; 8,192 tokens are the most that OpenAI's models take. */
const charactersOfText = 24_000;

/** A search waits for its answer. Milliseconds. */
const patience = 20_000;

/**
 * OpenAI's embeddings, or those of a server that speaks its protocol (Ollama, vLLM). Asks once, for the number of dimensions.
 * @throws {ModelError} where it does not answer.
 */
export async function openOpenAiEmbedder(
  provider: { name: string; model: string } & ProviderSettings,
): Promise<Embedder> {
  const client = new OpenAI({ ...clientSettings(provider), maxRetries: 3, timeout: patience });

  async function request(input: string[]): Promise<number[][]> {
    try {
      const { data } = await client.embeddings.create({ model: provider.model, input, encoding_format: 'float' });
      return data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => toUnitLength(embedding));
    } catch (error) {
      throw sortOpenAiError(provider.name, error) ?? error;
    }
  }

  const [probe] = await request(['dimensions']);
  if (!probe?.length) {
    throw new ModelError(`${provider.name} answered without a vector for ${provider.model}.`, { why: 'bad-request' });
  }
  return {
    model: `${provider.name}/${provider.model}`,
    dimensions: probe.length,
    async embed(texts) {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += textsOfRequest) {
        const batch = texts.slice(from, from + textsOfRequest);
        // Servers refuse an empty text.
        const input = batch.map((text) => text.slice(0, charactersOfText).toWellFormed() || ' ');
        const answer = await request(input);
        if (answer.length !== batch.length) {
          throw new ModelError(`Expected ${batch.length} vectors of ${provider.name}, got ${answer.length}.`, {
            why: 'server',
          });
        }
        vectors.push(...answer);
      }
      return vectors;
    },
  };
}
