import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Answer } from '../script/answer.ts';
import { parseChatRequest } from './chat-request.ts';
import { sendError } from './send.ts';
import { type AnswerParts, pieces, serverSentEvent, type Wire } from './wire.ts';

/** OpenAI's chat completions. */
export const chatWire: Wire = {
  read: parseChatRequest,
  whole: chatCompletion,
  events(parts, request) {
    const includeUsage = request.stream_options?.include_usage === true;
    return [
      ...chatCompletionChunks({ ...parts, includeUsage }).map((chunk) => serverSentEvent(chunk)),
      serverSentEvent('[DONE]'),
    ];
  },
  sendError,
  requestIdHeader: 'x-request-id',
};

/** An answer as the body of a response that does not stream. */
function chatCompletion({ answer, model, usage }: AnswerParts): ChatCompletion {
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
          content: answer.finish === 'refusal' ? null : answer.text,
          refusal: answer.finish === 'refusal' ? answer.text : null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      },
    ],
    usage,
  };
}

/** The chunks of a stream, in the order and shape that OpenAI's own endpoint sends them; usage comes last, if requested. */
function chatCompletionChunks(parts: AnswerParts & { includeUsage: boolean }): ChatCompletionChunk[] {
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
    ...pieces(answer.text ?? '').map((piece) =>
      chunk(answer.finish === 'refusal' ? { refusal: piece } : { content: piece }),
    ),
    ...calls,
    chunk({}, finishReason(answer)),
    ...(includeUsage ? [{ ...chunk({}), choices: [], usage }] : []),
  ];
}

function finishReason(answer: Answer): 'tool_calls' | 'stop' | 'length' | 'content_filter' {
  if (answer.finish === 'length') return 'length';
  if (answer.finish === 'filtered') return 'content_filter';
  return answer.calls.length > 0 ? 'tool_calls' : 'stop';
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
