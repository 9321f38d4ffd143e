import type { Answer, AskOnce } from '../ask-model.ts';
import { type AnswerPiece, streamAnswer } from '../stream-answer.ts';
import type { AnswerContent, AnswerEnd, LanguageModel, Metadata, StreamedPart } from './language-model.ts';
import { toAskOptions } from './to-ask-options.ts';
import { metadataName, toMessages } from './to-messages.ts';

/** A run's model as the AI SDK takes it; `model` is a name or a list, the agent's own if absent. */
export function createLanguageModel(ask: AskOnce, model?: string): LanguageModel {
  const chosen = model === undefined ? {} : { model };
  return {
    specificationVersion: 'v4',
    provider: 'longhaul',
    modelId: model ?? 'agent',
    supportedUrls: {},

    async doGenerate(options) {
      const asked = { ...toAskOptions(options), ...chosen };
      const answer = await ask(toMessages(options.prompt), asked, { signal: options.abortSignal });
      return { content: contentOf(answer), response: { modelId: answer.model }, warnings: [], ...endOf(answer) };
    },

    async doStream(options) {
      const asked = { ...toAskOptions(options), ...chosen };
      const pieces = streamAnswer(ask, toMessages(options.prompt), asked, options.abortSignal);
      return { stream: pieces.pipeThrough(toParts()) };
    },
  };
}

function toParts(): TransformStream<AnswerPiece, StreamedPart> {
  const id = '0';
  let hasBegun = false;
  return new TransformStream<AnswerPiece, StreamedPart>({
    start: (controller) => controller.enqueue({ type: 'stream-start', warnings: [] }),
    transform(piece, controller) {
      if ('failure' in piece) return controller.enqueue({ type: 'error', error: piece.failure });
      if ('text' in piece) {
        if (!hasBegun) controller.enqueue({ type: 'text-start', id });
        hasBegun = true;
        return controller.enqueue({ type: 'text-delta', id, delta: piece.text });
      }
      for (const part of contentOf(piece.answer)) {
        if (part.type === 'tool-call') controller.enqueue(part);
        else controller.enqueue({ type: 'text-end', id, ...metadataOf(part) });
      }
      controller.enqueue({ type: 'response-metadata', modelId: piece.answer.model });
      controller.enqueue({ type: 'finish', ...endOf(piece.answer) });
    },
  });
}

function metadataOf({ providerMetadata }: AnswerContent): { providerMetadata?: Metadata } {
  return providerMetadata ? { providerMetadata } : {};
}

/** The parts of an answer; the last one has what the provider wants back. */
function contentOf({ text, toolCalls, carried }: Answer): AnswerContent[] {
  const content: AnswerContent[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      ...{ type: 'tool-call' as const, toolCallId: id, toolName: name, input },
    })),
  ];
  const last = content.at(-1);
  if (last && carried) last.providerMetadata = { [metadataName]: { carried } } as unknown as Metadata; // it came as JSON
  return content;
}

function endOf({ finish, toolCalls, usage }: Answer): AnswerEnd {
  const reasons = { done: 'stop', length: 'length', refusal: 'content-filter' } as const;
  return {
    finishReason: { unified: finish === 'done' && toolCalls.length ? 'tool-calls' : reasons[finish], raw: undefined },
    usage: {
      inputTokens: { total: usage?.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: undefined },
    },
  };
}
