import type { AgentOutputItem, Model, ModelProvider, StreamEvent } from '@openai/agents';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import type { Answer } from '../../agents/runtime/ask-model.ts';
import { runtimeOf } from '../../agents/runtime/runtime-of.ts';
import { streamAnswer } from '../../agents/runtime/stream-answer.ts';
import { toAskOptions } from './to-ask-options.ts';
import { metadataName, toMessages } from './to-messages.ts';

/** The run's model for `new Agent({ model })`: an answer is recorded before the SDK learns of it whole, and not paid for again after a crash. */
export function modelOf(
  context: AgentContext<never, never> | AgentContext,
  /** `provider/model`, or a list, tried in order; the agent's own if absent. */
  { model }: { model?: string | readonly string[] } = {},
): Model {
  const { ask } = runtimeOf(context);
  const chosen = model === undefined ? {} : { model: [model].flat().join(',') };
  return {
    async getResponse(request) {
      const asked = { ...toAskOptions(request), ...chosen };
      const answer = await ask(toMessages(request), asked, { signal: request.signal });
      const { Usage } = await import('@openai/agents');
      return { usage: new Usage(usageOf(answer)), output: outputOf(answer) };
    },

    async *getStreamedResponse(request): AsyncIterable<StreamEvent> {
      const asked = { ...toAskOptions(request), ...chosen };
      yield { type: 'response_started' };
      for await (const piece of streamAnswer(ask, toMessages(request), asked, request.signal)) {
        if ('failure' in piece) throw piece.failure;
        if ('text' in piece) yield { type: 'output_text_delta', delta: piece.text };
        else yield { type: 'response_done', response: responseOf(piece.answer) };
      }
    },
  };
}

/** The same for `new Runner({ modelProvider })`: an agent without a model has that of Longhaul's agent, and a name means one of Longhaul's models. */
export function providerOf(context: AgentContext<never, never> | AgentContext): ModelProvider {
  return { getModel: (model) => modelOf(context, model ? { model } : {}) };
}

function usageOf({ usage }: Answer) {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return { requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

type Response = Extract<StreamEvent, { type: 'response_done' }>['response'];

function responseOf(answer: Answer): Response {
  return { id: '', usage: usageOf(answer), output: outputOf(answer) as Response['output'] };
}

/** The items of an answer; the last one has what the provider wants back. */
function outputOf({ text, toolCalls, finish, carried }: Answer): AgentOutputItem[] {
  const content =
    finish === 'refusal' ? { type: 'refusal' as const, refusal: text } : { type: 'output_text' as const, text };
  const status = finish === 'length' ? ('incomplete' as const) : ('completed' as const);
  const items: AgentOutputItem[] = [
    ...(text === '' && toolCalls.length
      ? []
      : [{ type: 'message' as const, role: 'assistant' as const, status, content: [content] }]),
    ...toolCalls.map(({ id, name, arguments: given }) => ({
      ...{ type: 'function_call' as const, callId: id, name, arguments: given, status: 'completed' as const },
    })),
  ];
  const last = items.at(-1);
  if (last && carried) last.providerData = { [metadataName]: { carried } };
  return items;
}
