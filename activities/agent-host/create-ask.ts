import { z } from 'zod';
import type { AskModel } from '../../agents/runtime/create-agent-context.ts';
import { schemaOf } from '../../agents/runtime/tool-registry.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import type { AnswerSchema } from '../../domain/model/model-provider.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Heartbeat } from '../heartbeat.ts';
import { createModelCalls } from '../model/model-calls.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** Asks models for one attempt of a coded agent's run. */
export function createAsk(
  dependencies: HostDependencies,
  { runId, attempt, signal, note }: { runId: string; attempt: number; signal: AbortSignal; note: Heartbeat['note'] },
): AskModel {
  const { agent, answers, callSettingsOf, modelOf } = dependencies;
  const modelCalls = createModelCalls(dependencies);
  let asked = 0;
  return async (messages, { model, tools, output, ...settings }) => {
    asked += 1;
    const turn = asked;
    const names = model ?? agent.model ?? modelOf('agent', {});
    const spoken = answers.open({ owner: runId, run: runId, turn, attempt });
    spoken.begin();
    let outcome: 'answered' | 'failed' = 'failed';
    try {
      const answer = await modelCalls.ask(
        splitModelNames(names).join(','),
        {
          ...callSettingsOf('agent'),
          ...settings,
          messages: messages.map(({ role, content, toolCalls, toolCallId }) => ({
            role,
            content: { text: content, ...(toolCalls && { toolCalls }), ...(toolCallId && { toolCallId }) },
          })),
          tools: tools.map((tool) => ({ name: tool.name, description: tool.description, parameters: schemaOf(tool) })),
          ...(output && { answerSchema: answerSchemaOf(output) }),
          labels: { Run: runId, Role: 'agent', Turn: `${turn}` },
          signal,
        },
        { note, place: { runId, turn, purpose: 'generation' } },
        { onDelta: (delta) => spoken.add(delta) },
      );
      outcome = 'answered';
      const { text, toolCalls, finish, usage } = answer;
      const { inputTokens, outputTokens } = usage ?? {};
      return {
        result: {
          ...{ text, toolCalls, finish, model: answer.model },
          usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
        },
        entry: answer.entry,
        events: [
          {
            type: 'assistant.message',
            ...{ run: runId, turn, text: preview(text), durationMs: answer.entry.durationMs ?? 0 },
            tools: toolCalls.map((call) => ({ tool: preview(call.name, 60), preview: preview(call.arguments, 80) })),
            ...{ inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null },
          },
        ],
      };
    } finally {
      spoken.end(outcome);
    }
  };
}

function answerSchemaOf(output: z.ZodType): AnswerSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(output, { io: 'input' });
  return { name: 'answer', schema };
}
