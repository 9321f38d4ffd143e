import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { Telemetry } from '../../domain/telemetry/telemetry.ts';
import type { OpenSpan } from '../../domain/telemetry/tracer.ts';
import type { Models } from '../../models/create-models.ts';
import { costOf } from '../../models/usage/prices.ts';
import { outcomeOfFailure } from '../model/model-calls.ts';
import {
  attributesOfPrompt,
  attributesOfRequest,
  attributesOfUsage,
  type Counts,
  finishReason,
  modelOf,
  toOutput,
} from './model-attributes.ts';

/** The models, each HTTP call of which is a span and is counted. */
export function observeModels(models: Models, { tracer, metrics }: Pick<Telemetry, 'tracer' | 'metrics'>): Models {
  return {
    ...models,
    async complete(names, request, listeners = {}) {
      let span: OpenSpan | undefined;
      const answer = await models.complete(names, request, {
        ...listeners,
        onAsk(model) {
          const attributes = {
            ...attributesOfRequest(model, request),
            ...(tracer.contents && attributesOfPrompt(request.messages)),
          };
          span = tracer.start({ name: `chat ${modelOf(model)}`, kind: 'client', attributes });
          listeners.onAsk?.(model);
        },
        async onFailed(call) {
          const outcome = outcomeOfFailure(call.error, request.signal.aborted);
          span?.set(attributesOfUsage(call.usage));
          span?.end(Object.assign(new Error((call.error as Error | undefined)?.message), { type: outcome }));
          metrics.modelCall({ ...call, ...tokensOf(call.usage), outcome });
          await listeners.onFailed?.(call);
        },
      });
      span?.set({
        [genAi.finishReasons]: [finishReason(answer)],
        ...attributesOfUsage(answer.usage),
        ...(tracer.contents && { [genAi.outputMessages]: JSON.stringify([toOutput(answer)]) }),
      });
      span?.end();
      const costUsd = answer.usage && costOf(answer.model, answer.usage);
      metrics.modelCall({ ...answer, ...tokensOf(answer.usage), costUsd, outcome: 'ANSWERED' });
      return answer;
    },
  };
}

/** What is not known counts as nothing. */
function tokensOf(counts: Counts | null) {
  const { inputTokens, outputTokens, cachedTokens } = counts ?? {};
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, cachedTokens: cachedTokens ?? 0 };
}
