import { z } from 'zod';
import { RequestRefusedError } from '../request-refused-error.ts';
import { answerFormatSchema, answerSchemaSchema, readAnswerFormat } from './answer-schema.ts';
import { checkCalls } from './check-calls.ts';

/** Compatible servers accept any id that they issued themselves. */
const anyId = /./;

/** What a picture is in the text that a script sees. */
const picture = '[picture]';

/** A text, or parts with text or pictures. */
export const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => part.text ?? (/image/.test(part.type) ? picture : '')).join('\n'),
  );

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: contentSchema,
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .nullish()
    .transform((calls) => calls ?? []),
  /** Set on a tool's result. */
  tool_call_id: z.string().nullish(),
});

const chatRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.enum(['text', 'json_object']) }),
      z.looseObject({ type: z.literal('json_schema'), json_schema: answerFormatSchema }),
    ])
    .nullish(),
  /** Filled in by the readers of all protocols. */
  answer_schema: answerSchemaSchema.optional(),
  /** Messages only: what the answer's thinking blocks are bound to. */
  binding: z.string().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

/** The parts of a chat completion request that the scripted model reads. */
export type ChatRequest = z.output<typeof chatRequestSchema>;
export type ChatRequestMessage = ChatRequest['messages'][number];

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @throws {RequestRefusedError} if it is not JSON or not a chat completion request.
 */
export function parseChatRequest(body: string): ChatRequest {
  const request = readAs(chatRequestSchema, parseJson(body), 'chat completion');
  checkCalls(request.messages, anyId);
  checkSaid(request.messages);
  const format = request.response_format;
  return format?.type === 'json_schema' ? { ...request, answer_schema: readAnswerFormat(format.json_schema) } : request;
}

/** Rejects empty answers, as Mistral does. */
function checkSaid(messages: ChatRequestMessage[]): void {
  const index = messages.findIndex(
    ({ role, content, tool_calls }) => role === 'assistant' && content.trim() === '' && tool_calls.length === 0,
  );
  if (index === -1) return;
  const message = `messages[${index}]: Assistant message must have either content or tool_calls, but not none.`;
  throw new RequestRefusedError('invalid_request', message);
}

/**
 * Validates a request of another protocol after its conversion to a chat completion request.
 * @throws {RequestRefusedError} if the protocol would not accept its calls.
 */
export function toChatRequest(request: unknown, idPattern: RegExp): ChatRequest {
  const read = readAs(chatRequestSchema, request, 'chat completion');
  checkCalls(read.messages, idPattern);
  return read;
}

/**
 * Validates a request against its schema.
 * @throws {RequestRefusedError} with every complaint.
 */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown, kind: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new RequestRefusedError('invalid_request', `Expected a ${kind} request. ${complaints.join('; ')}`);
}

/** The text of all messages in order, including their calls. */
export function messagesText(messages: ChatRequestMessage[]): string {
  return messages
    .flatMap((message) => [
      message.content,
      ...message.tool_calls.flatMap((call) => [call.function.name, call.function.arguments]),
    ])
    .join('\n');
}

/**
 * Parses JSON sent by a client.
 * @throws {RequestRefusedError} if it is not JSON.
 */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new RequestRefusedError('invalid_request', `Expected a JSON body: ${(cause as Error).message}.`, { cause });
  }
}
