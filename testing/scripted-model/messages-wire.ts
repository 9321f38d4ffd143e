import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { thoughtMark } from './answer.ts';
import { answerSchemaSchema, readOutputSchema } from './answer-schema.ts';
import { type ChatRequest, contentSchema, parseJson, readAs, toChatRequest } from './chat-request.ts';
import { RequestRefusedError } from './request-refused-error.ts';
import { sendJson } from './send.ts';
import { type AnswerParts, pieces, serverSentEvent, type Wire, type WireError } from './wire.ts';

const blockSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string(), content: contentSchema }),
]);

const requestSchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: contentSchema,
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.array(blockSchema).min(1) }))
    .min(1),
  tools: z
    .array(z.looseObject({ name: z.string(), input_schema: z.looseObject({ type: z.literal('object') }) }))
    .optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ type: z.literal('json_schema'), schema: answerSchemaSchema }).nullish() })
    .nullish(),
  stream: z.boolean().nullish(),
});

type Block = z.output<typeof blockSchema>;

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
    return readMessages(body);
  },
  whole: (parts) => ({ ...message(parts), content: blocks(parts), stop_reason: stopReason(parts) }),
  events: (parts) => streamEvents(parts).map((event) => serverSentEvent(event, event.type)),
  sendError,
  requestIdHeader: 'request-id',
};

function readMessages(body: string): ChatRequest {
  const { system, messages, tools, output_config, ...rest } = readAs(requestSchema, parseJson(body), 'messages');
  checkPairs(messages);
  const chat = messages.flatMap(({ role, content }): unknown[] => {
    if (role === 'user') {
      return content.map((block) =>
        block.type === 'tool_result'
          ? { role: 'tool', content: block.content }
          : { role: 'user', content: block.type === 'text' ? block.text : '' },
      );
    }
    const uses = content.filter((block) => block.type === 'tool_use');
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const calls = uses.map(({ id, name, input }) => ({ id, function: { name, arguments: JSON.stringify(input) } }));
    return [{ role: 'assistant', content: text, tool_calls: calls }];
  });
  return toChatRequest({
    ...rest,
    messages: [...(system ? [{ role: 'system', content: system }] : []), ...chat],
    ...(output_config?.format && { answer_schema: readOutputSchema(output_config.format.schema) }),
    ...(tools && { tools: tools.map(({ name }) => ({ function: { name } })) }),
  });
}

/** As the API does: results right behind their calls, thinking before the calls that came of it. */
function checkPairs(messages: Array<{ role: string; content: Block[] }>): void {
  messages.forEach(({ role, content }, index) => {
    if (role !== 'assistant') return;
    const asked = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const answered = messages[index + 1]?.content.flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    const missing = asked.filter((id) => !answered?.includes(id));
    if (missing.length > 0) {
      throw new RequestRefusedError(
        'invalid_request',
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`,
      );
    }
    const thought = asked.find((id) => id.includes(thoughtMark));
    const [first] = content;
    if (thought && !(first?.type === 'thinking' && first.signature === signature(thought))) {
      throw new RequestRefusedError(
        'invalid_request',
        `messages.${index}.content.0: Expected \`thinking\` with its signature, found \`${first?.type}\``,
      );
    }
  });
}

function signature(callId: string): string {
  return `signed_${callId.replace(/^call_/, '').replace(/_\d+$/, '')}`;
}

function blocks({ answer }: AnswerParts): Array<Record<string, unknown> & { type: string }> {
  const { reasoning, text, calls, id } = answer;
  return [
    ...(reasoning === null
      ? []
      : [{ type: 'thinking', thinking: reasoning, signature: signature(calls[0]?.id ?? id) }]),
    ...(text === null ? [] : [{ type: 'text', text, citations: null }]),
    ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.tool, input: parsed(call.arguments) })),
  ];
}

/** The API sends objects only; arguments that are none are streamed as they are, as a model may. */
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

function streamEvents(parts: AnswerParts): Array<{ type: string } & Record<string, unknown>> {
  const whole = message(parts);
  const content = blocks(parts).flatMap((block, index) => [
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
        { type: 'signature_delta', signature: block.signature },
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
