import { expect, test } from '@jest/globals';
import { observeEmbedder } from '../../../activities/telemetry/observe-embedder.ts';
import type { OpenedEmbedder } from '../../../domain/memory/embedder.ts';
import type { FinishedSpan } from '../../../domain/telemetry/span.ts';
import { openTracer } from '../../../telemetry/open-tracer.ts';

test('embedding is a span, also by a model that is available only later, and fails with it', async () => {
  const spans: FinishedSpan[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents: false, sinks }, { warn() {} });
  const opened: OpenedEmbedder = {
    notice: 'not yet',
    reopen: async () => ({
      embedder: {
        ...{ model: 'openai/small', dimensions: 1 },
        async embed(texts) {
          if (texts.includes('no')) throw new Error('refused');
          return texts.map(() => [1]);
        },
      },
    }),
  };
  const { notice, reopen } = observeEmbedder(opened, tracer);
  expect(notice).toBe('not yet');
  const { embedder } = (await reopen?.()) ?? {};
  expect(await embedder?.embed(['a', 'b'], 'document')).toEqual([[1], [1]]);
  await expect(embedder?.embed(['no'], 'query')).rejects.toThrow('refused');
  await tracer.close();
  expect(spans).toMatchObject([
    {
      name: 'embeddings small',
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'small',
        'longhaul.texts': 2,
      },
    },
    { name: 'embeddings small', error: 'refused' },
  ]);
});
