import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Embedder } from '../../domain/memory/embedder.ts';
import { localModel } from './local-model.ts';
import { meanOfTokens } from './mean-of-tokens.ts';
import { splitIntoRuns } from './split-into-runs.ts';
import { createWordPieces } from './word-pieces.ts';

/** Tokens of one run, padding included. A run blocks the event loop for about 0.35 ms per token. */
const tokensOfRun = 128;

/**
 * More threads wait for each other by spinning, which costs more than they gain when something else wants the processor: with two threads on two
 * cores, a question takes 17 ms of processor time rather than 7, and up to five times as long beside other work.
 */
const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };

/** Characters of the longest word piece; text that is cut by this limit would not have reached the model. */
const charactersOfToken = 20;

/** Embeds on this machine's processor with the model that `longhaul setup` put into the folder; loaded on the first call. */
export function createLocalEmbedder(folder: string): Embedder {
  let loading: ReturnType<typeof load> | undefined;

  return {
    model: localModel.name,
    dimensions: localModel.dimensions,
    async embed(texts) {
      loading ??= load(folder);
      const { session, encode } = await loading.catch((error) => {
        loading = undefined; // the next call tries again
        throw error;
      });
      const { maxTokens } = localModel;
      const tokens = texts.map((text) => encode(text.slice(0, maxTokens * charactersOfToken), maxTokens));
      const vectors: number[][] = new Array(texts.length);
      for (const run of splitIntoRuns(tokens, tokensOfRun)) {
        const found = await infer(
          session,
          run.map((index) => tokens[index] ?? []),
        );
        run.forEach((index, position) => {
          vectors[index] = found[position] ?? [];
        });
        await setImmediate(); // lets other work run between two runs
      }
      return vectors;
    },
  };
}

async function load(folder: string) {
  const [vocabulary, session] = await Promise.all([
    readFile(join(folder, 'vocab.txt'), 'utf8'),
    InferenceSession.create(join(folder, 'model.onnx'), { logSeverityLevel: 3, ...threads }),
  ]);
  return { session, encode: createWordPieces(vocabulary) };
}

async function infer(session: InferenceSession, batch: number[][]): Promise<number[][]> {
  const length = Math.max(...batch.map((tokens) => tokens.length));
  const ids = new BigInt64Array(batch.length * length);
  const mask = new BigInt64Array(batch.length * length);
  batch.forEach((tokens, row) => {
    tokens.forEach((token, column) => {
      ids[row * length + column] = BigInt(token);
      mask[row * length + column] = 1n;
    });
  });
  const shape = [batch.length, length];
  const inputs: Record<string, Tensor> = {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  };
  const wanted = Object.fromEntries(session.inputNames.map((name) => [name, inputs[name] as Tensor]));
  const [output] = Object.values(await session.run(wanted));
  if (!(output && output.type === 'float32')) throw new Error('Expected the embedding model to answer with floats.');
  return meanOfTokens(
    output.data as Float32Array,
    batch.map((tokens) => tokens.length),
    length,
  );
}
