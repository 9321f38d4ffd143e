import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { RequestRefusedError } from '../request-refused-error.ts';
import { type Answer, thoughtId } from '../script/answer.ts';
import { readOutputSchema } from './answer-schema.ts';
import { type ChatRequest, parseJson, toChatRequest } from './chat-request.ts';
import { callId, readMessagesRequest, signatureOf } from './messages-request.ts';
import { sendJson } from './send.ts';
import { type AnswerParts, pieces, serverSentEvent, type Wire, type WireError } from './wire.ts';

/** Anthropic's Messages. */
export const messagesWire: Wire = {
  read(body, request) {
    const { headers } = request;
    if (!headers['anthropic-version']) {
      throw new RequestRefusedError('invalid_request', 'anthropic-version: header is required');
    }
    if (!headers['x-api-key'] && !headers.authorization) {
      throw new RequestRefusedError('invalid_request', 'x-api-key: header is required');
    }
    return readMessages(body, headers);
  },
  whole: (parts, request) => ({
    ...message(parts),
    content: blocks(parts, request),
    stop_reason: stopReason(parts),
  }),
  events: (parts, request) => streamEvents(parts, request).map((event) => serverSentEvent(event, event.type)),
  sendError,
  requestIdHeader: 'request-id',
};

function readMessages(body: string, headers: IncomingHttpHeaders): ChatRequest {
  const { system, messages, tools, output_config, ...rest } = readMessagesRequest(parseJson(body), headers);
  const chat = messages.flatMap(({ role, content }): unknown[] => {
    if (role === 'user') {
      return content.map((block) =>
        block.type === 'tool_result'
          ? { role: 'tool', content: block.content, tool_call_id: block.tool_use_id }
          : { role: 'user', content: block.type === 'text' ? block.text : block.type === 'image' ? '[picture]' : '' },
      );
    }
    const uses = content.filter((block) => block.type === 'tool_use');
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const calls = uses.map(({ id, name, input }) => ({ id, function: { name, arguments: JSON.stringify(input) } }));
    return [{ role: 'assistant', content: text, tool_calls: calls }];
  });
  const request = {
    ...rest,
    messages: [...(system ? [{ role: 'system', content: system }] : []), ...chat],
    ...(output_config?.format && { answer_schema: readOutputSchema(output_config.format.schema) }),
    ...(tools && { tools: tools.map(({ name }) => ({ function: { name } })) }),
  };
  return toChatRequest(request, callId);
}

function blocks(
  { answer }: AnswerParts,
  { binding = '' }: ChatRequest,
): Array<Record<string, unknown> & { type: string }> {
  const { text, calls } = answer;
  const thinking = (thought: string | null | undefined, number: number) => thoughts(answer, thought, number, binding);
  return [
    ...thinking(answer.reasoning, 0),
    ...(text === null ? [] : [{ type: 'text', text, citations: null }]),
    ...calls.flatMap((call, index) => [
      ...thinking(call.reasoning, index + 1),
      { type: 'tool_use', id: call.id, name: call.tool, input: parsed(call.arguments) },
    ]),
  ];
}

/** Thinking cut off by the token limit has no signature. */
function thoughts(answer: Answer, thought: string | null | undefined, number: number, binding: string) {
  if (thought === null || thought === undefined) return [];
  const isWhole = answer.finish !== 'length' || answer.text !== null || answer.calls.length > 0;
  const signature = isWhole ? `${signatureOf(thoughtId(answer, number))}${binding}` : '';
  return [{ type: 'thinking', thinking: thought, signature }];
}

/** The API's `input` must be an object; arguments that are not JSON are still streamed as they are, as from a real model. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function message({ answer, model, usage }: AnswerParts) {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.prompt_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: usage.completion_tokens,
    },
  };
}

function stopReason({ answer }: AnswerParts): string {
  if (answer.finish) return answer.finish === 'length' ? 'max_tokens' : 'refusal';
  return answer.calls.length > 0 ? 'tool_use' : 'end_turn';
}

function streamEvents(parts: AnswerParts, request: ChatRequest): Array<{ type: string } & Record<string, unknown>> {
  const whole = message(parts);
  const content = blocks(parts, request).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: { ...block, ...emptied(block) } },
    ...deltas(block, parts).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message: { ...whole, usage: { ...whole.usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...content,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(parts), stop_sequence: null },
      usage: { output_tokens: parts.usage.completion_tokens },
    },
    { type: 'message_stop' },
  ];
}

function emptied(block: { type: string }): Record<string, unknown> {
  if (block.type === 'tool_use') return { input: {} };
  return block.type === 'thinking' ? { thinking: '', signature: '' } : { text: '' };
}

function deltas(block: Record<string, unknown>, { answer }: AnswerParts): Array<Record<string, unknown>> {
  switch (block.type) {
    case 'tool_use': {
      const text = answer.calls.find(({ id }) => id === block.id)?.arguments ?? '';
      return ['', ...pieces(text)].map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
    }
    case 'thinking':
      return [
        ...pieces(String(block.thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        ...(block.signature ? [{ type: 'signature_delta', signature: block.signature }] : []),
      ];
    default:
      return pieces(String(block.text)).map((piece) => ({ type: 'text_delta', text: piece }));
  }
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function sendError(
  response: ServerResponse,
  status: number,
  error: WireError,
  headers: Record<string, string> = {},
): void {
  const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  sendJson(response, status, { type: 'error', error: { type, message: error.message } }, headers);
}
