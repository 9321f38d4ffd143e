import { z } from 'zod';
import { RequestRefusedError } from '../request-refused-error.ts';
import { thoughtId, thoughtOf } from '../script/answer.ts';
import { answerFormatSchema, readAnswerFormat } from './answer-schema.ts';
import { type ChatRequest, contentSchema, parseJson, readAs, toChatRequest } from './chat-request.ts';
import { sendError } from './send.ts';
import { type AnswerParts, pieces, serverSentEvent, type Wire } from './wire.ts';

/** OpenAI checks only the length of a call's id; Azure and Bedrock, behind the same protocol, also check its characters. */
const callId = /^[a-zA-Z0-9_-]{1,64}$/;

const itemSchema = z.union([
  z.looseObject({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
  z.looseObject({ type: z.literal('reasoning'), encrypted_content: z.string() }),
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: contentSchema,
  }),
]);

const requestSchema = z.looseObject({
  model: z.string().min(1),
  input: z.array(itemSchema).min(1),
  tools: z.array(z.looseObject({ type: z.literal('function'), name: z.string() })).optional(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.looseObject({ type: z.enum(['text', 'json_object']) }),
          answerFormatSchema.extend({ type: z.literal('json_schema') }),
        ])
        .nullish(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
});

/** OpenAI's Responses. */
export const responsesWire: Wire = {
  read,
  whole: (parts) => response(parts, endOf(parts)),
  events: (parts) =>
    streamEvents(parts).map((event, index) => serverSentEvent({ ...event, sequence_number: index }, event.type)),
  sendError,
  requestIdHeader: 'x-request-id',
};

function read(body: string): ChatRequest {
  const { input, tools, text, ...rest } = readAs(requestSchema, parseJson(body), 'responses');
  const messages: Array<{ role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string }> = [];
  let thoughts: string | undefined;
  for (const [index, item] of input.entries()) {
    const last = messages.at(-1);
    if (item.type === 'reasoning') {
      thoughts = String(item.encrypted_content);
      checkFollowed(input[index + 1], String(item.id));
    } else if (item.type === 'function_call') {
      checkThoughts(String(item.call_id), thoughts);
      const call = { id: item.call_id, function: { name: item.name, arguments: item.arguments } };
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: '', tool_calls: [call] });
    } else if (item.type === 'function_call_output') {
      thoughts = undefined;
      messages.push({ role: 'tool', content: String(item.output), tool_call_id: String(item.call_id) });
    } else if (item.role === 'assistant' && last?.tool_calls) {
      last.content += item.content; // part of the same answer
    } else {
      messages.push({ role: String(item.role), content: String(item.content) });
    }
  }
  const request = {
    ...rest,
    messages,
    ...(text?.format?.type === 'json_schema' && { answer_schema: readAnswerFormat(text.format) }),
    ...(tools && { tools: tools.map(({ name }) => ({ function: { name } })) }),
  };
  return toChatRequest(request, callId);
}

/** A reasoning item must be followed by what it led to. */
function checkFollowed(next: z.output<typeof itemSchema> | undefined, id: string): void {
  if (next?.type === 'reasoning' || next?.type === 'function_call' || next?.role === 'assistant') return;
  throw new RequestRefusedError(
    'invalid_request',
    `Item '${id}' of type 'reasoning' was provided without its required following item.`,
  );
}

/** Requires reasoning to come back unchanged, as the API does if it stores nothing. */
function checkThoughts(callId: string, thoughts: string | undefined): void {
  const thought = thoughtOf(callId);
  if (!thought || thoughts === encrypted(thought)) return;
  throw new RequestRefusedError(
    'invalid_request',
    `Expected the reasoning item that came before function call ${callId}, unchanged; got ${thoughts ?? 'none'}.`,
  );
}

function encrypted(thought: string): string {
  return `encrypted_${thought}`;
}

function items({ answer }: AnswerParts): Array<Record<string, unknown>> {
  const { id, text, calls } = answer;
  const said = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [
      answer.finish === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] },
    ],
  };
  return [
    ...reasoning(answer.reasoning, thoughtId(answer, 0)),
    ...(text === null ? [] : [said]),
    ...calls.flatMap((call, index) => [
      ...reasoning(call.reasoning, thoughtId(answer, index + 1)),
      {
        type: 'function_call',
        id: `fc_${id}_${index}`,
        call_id: call.id,
        name: call.tool,
        arguments: call.arguments,
        status: 'completed',
      },
    ]),
  ];
}

function reasoning(thought: string | null | undefined, id: string): Array<Record<string, unknown>> {
  if (thought === null || thought === undefined) return [];
  const summary = [{ type: 'summary_text', text: thought }];
  return [{ type: 'reasoning', id: `rs_${id}`, summary, encrypted_content: encrypted(id) }];
}

function response(parts: AnswerParts, status: 'in_progress' | 'completed' | 'incomplete') {
  const { answer, model, usage } = parts;
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    model,
    error: null,
    incomplete_details:
      status === 'incomplete'
        ? { reason: answer.finish === 'filtered' ? 'content_filter' : 'max_output_tokens' }
        : null,
    output: status === 'in_progress' ? [] : items(parts),
    usage:
      status !== 'in_progress'
        ? {
            input_tokens: usage.prompt_tokens,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: usage.completion_tokens,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.total_tokens,
          }
        : null,
  };
}

function endOf({ answer }: AnswerParts): 'completed' | 'incomplete' {
  return answer.finish === 'length' || answer.finish === 'filtered' ? 'incomplete' : 'completed';
}

function streamEvents(parts: AnswerParts): Array<{ type: string } & Record<string, unknown>> {
  const outputs = items(parts).flatMap((item, index) => {
    const place = { output_index: index, item_id: item.id };
    return [
      { type: 'response.output_item.added', output_index: index, item: { ...item, ...emptied(item) } },
      ...deltas(item).map((delta) => ({ ...place, ...delta })),
      { type: 'response.output_item.done', output_index: index, item },
    ];
  });
  return [
    { type: 'response.created', response: response(parts, 'in_progress') },
    ...outputs,
    { type: `response.${endOf(parts)}`, response: response(parts, endOf(parts)) },
  ];
}

function emptied(item: Record<string, unknown>): Record<string, unknown> {
  if (item.type === 'function_call') return { arguments: '', status: 'in_progress' };
  return item.type === 'message' ? { content: [], status: 'in_progress' } : { summary: [] };
}

function deltas(item: Record<string, unknown>): Array<{ type: string } & Record<string, unknown>> {
  const answerText = (item.content as Array<{ text?: string }> | undefined)?.[0]?.text ?? '';
  const thought = (item.summary as Array<{ text: string }> | undefined)?.[0]?.text ?? '';
  switch (item.type) {
    case 'function_call':
      return pieces(String(item.arguments)).map((delta) => ({ type: 'response.function_call_arguments.delta', delta }));
    case 'message':
      return pieces(answerText).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta }));
    default:
      return pieces(thought).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        summary_index: 0,
        delta,
      }));
  }
}
