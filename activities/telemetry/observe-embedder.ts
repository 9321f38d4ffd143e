import type { Embedder, OpenedEmbedder } from '../../domain/memory/embedder.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { Tracer } from '../../domain/telemetry/tracer.ts';
import { modelOf } from './model-attributes.ts';

/** The embedder, each use of which is a span; texts that it has embedded lately take no time. */
export function observeEmbedder({ embedder, reopen, ...rest }: OpenedEmbedder, tracer: Tracer): OpenedEmbedder {
  return {
    ...rest,
    ...(embedder && { embedder: observed(embedder, tracer) }),
    ...(reopen && { reopen: async () => observeEmbedder(await reopen(), tracer) }),
  };
}

function observed({ model, dimensions, embed }: Embedder, tracer: Tracer): Embedder {
  const attributes = {
    [genAi.operation]: 'embeddings',
    [genAi.provider]: model.includes('/') ? model.slice(0, model.indexOf('/')) : 'local',
    [genAi.requestModel]: modelOf(model),
  };
  return {
    model,
    dimensions,
    embed: (texts, purpose) =>
      tracer.inSpan(
        {
          name: `embeddings ${modelOf(model)}`,
          kind: 'client',
          attributes: { ...attributes, 'longhaul.texts': texts.length },
        },
        () => embed(texts, purpose),
      ),
  };
}
