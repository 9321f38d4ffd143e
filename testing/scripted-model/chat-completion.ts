import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { Answer } from './answer.ts';

/** Characters in one chunk of a stream: small enough that every answer of a script comes in several. */
const chunkLength = 64;

export interface CompletionParts {
  answer: Answer;
  model: string;
  usage: CompletionUsage;
}

/** An answer in the protocol's form for a request that does not stream. */
export function chatCompletion({ answer, model, usage }: CompletionParts): ChatCompletion {
  const calls = answer.calls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.tool, arguments: call.arguments },
  }));
  return {
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion',
    created: now(),
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReason(answer),
        logprobs: null,
        message: {
          role: 'assistant',
          content: answer.text,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      },
    ],
    usage,
  };
}

/** The chunks of a stream, in the order and shape that OpenAI's own endpoint sends them; usage comes last, where asked for. */
export function chatCompletionChunks(parts: CompletionParts & { includeUsage: boolean }): ChatCompletionChunk[] {
  const { answer, model, usage, includeUsage } = parts;
  const created = now();
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish: ChatCompletionChunk.Choice['finish_reason'] = null,
  ) => ({
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion.chunk' as const,
    created,
    model,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });
  const calls = answer.calls.flatMap((call, index) => [
    chunk({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.tool, arguments: '' } }],
    }),
    ...pieces(call.arguments).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: 'assistant', content: answer.text === null ? null : '' }),
    ...pieces(answer.text ?? '').map((piece) => chunk({ content: piece })),
    ...calls,
    chunk({}, finishReason(answer)),
    ...(includeUsage ? [{ ...chunk({}), choices: [], usage }] : []),
  ];
}

function finishReason(answer: Answer): 'tool_calls' | 'stop' {
  return answer.calls.length > 0 ? 'tool_calls' : 'stop';
}

function pieces(text: string): string[] {
  const count = Math.ceil(text.length / chunkLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * chunkLength, (index + 1) * chunkLength));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
