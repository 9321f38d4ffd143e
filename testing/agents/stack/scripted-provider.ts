import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelProvider } from '../../../domain/model/model-provider.ts';
import { AgentTestError } from '../agent-test-error.ts';
import type { ScriptedAnswers } from '../scripted-answers.ts';

/** The name of its model, for settings. */
export const scriptedModelName = 'answers/scripted';

/** The provider of `answers/scripted`, a model that gives prepared answers in the order in which it is asked. */
export function createScriptedProvider(model: ScriptedAnswers): ModelProvider {
  return {
    name: 'answers',
    async complete({ messages, tools, signal, model: _name, labels: _labels, ...options }, onDelta) {
      signal.throwIfAborted();
      const asked = {
        messages: messages.map(({ role, content: { text, toolCalls, toolCallId } }) => ({
          ...{ role, content: text },
          ...(toolCalls?.length && { toolCalls }),
          ...(toolCallId !== undefined && { toolCallId }),
        })),
        tools: tools.map(({ name }) => name),
        options,
      };
      const { text, calls = [], finish = 'done', usage } = await model.answer(asked).catch(refuse);
      if (text) onDelta?.({ type: 'text', text });
      return {
        ...{ text, finish, firstTokenMs: 0, requestId: null },
        toolCalls: calls.map((call, position) => ({
          id: `call-${model.asked.length}-${position}`,
          name: call.tool,
          arguments: JSON.stringify(call.arguments ?? {}),
        })),
        usage: usage ? { ...usage, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 } : null,
      };
    },
  };
}

/** A script that ran out ends the run: to ask again would not help. */
function refuse(cause: unknown): never {
  if (!(cause instanceof AgentTestError)) throw cause;
  throw new ModelError(cause.message, { code: 'ModelRequestRefused', cause });
}
