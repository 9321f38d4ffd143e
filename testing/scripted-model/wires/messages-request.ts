import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { RequestRefusedError } from '../request-refused-error.ts';
import { thoughtOf } from '../script/answer.ts';
import { answerSchemaSchema } from './answer-schema.ts';
import { contentSchema, readAs } from './chat-request.ts';
import { bindingOf, checkBinding } from './thought-binding.ts';

/** Call ids that the API accepts. */
export const callId = /^[a-zA-Z0-9_-]+$/;

const cacheControl = z.looseObject({ type: z.literal('ephemeral') }).nullish();

const textSchema = z.looseObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, { error: 'text content blocks must contain non-whitespace text' }),
  cache_control: cacheControl,
});

const blockSchema = z.discriminatedUnion('type', [
  textSchema,
  z.looseObject({
    type: z.literal('image'),
    source: z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.string().min(1),
    }),
  }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string().regex(callId),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
    cache_control: cacheControl,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().regex(callId),
    content: contentSchema,
    cache_control: cacheControl,
  }),
]);

const requestSchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(textSchema)]).nullish(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.array(blockSchema).min(1) }))
    .min(1),
  tools: z
    .array(z.looseObject({ name: z.string(), input_schema: z.looseObject({ type: z.literal('object') }) }))
    .optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ type: z.literal('json_schema'), schema: answerSchemaSchema }).nullish() })
    .nullish(),
  thinking: z
    .looseObject({
      budget_tokens: z.int().min(1_024).nullish(),
      block_binding: z.looseObject({ prefix_mismatch_behavior: z.enum(['error', 'drop_block']).nullish() }).nullish(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
});

type Block = z.output<typeof blockSchema>;
type Message = { role: 'user' | 'assistant'; content: Block[] };

/** Validates a Messages API request, refusing what the API would refuse. */
export function readMessagesRequest(value: unknown, headers: IncomingHttpHeaders) {
  const request = readAs(requestSchema, value, 'messages');
  const { system, messages } = request;
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      checkResultsFirst(message, index);
    } else {
      checkResults(message, messages[index + 1], index);
      checkThinking(message, index);
    }
  });
  checkBinding(request, headers);
  const marked = [...(Array.isArray(system) ? system : []), ...messages.flatMap(({ content }) => content)];
  const marks = marked.filter((block) => 'cache_control' in block && block.cache_control).length;
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const text = Array.isArray(system) ? system.map((block) => block.text).join('\n') : (system ?? '');
  return { ...request, system: text, binding: bindingOf(request) };
}

/** The signature of a thinking block, without its binding. */
export function signatureOf(thought: string): string {
  return `signed_${thought}`;
}

/** Results must directly follow their calls. */
function checkResults({ content }: Message, next: Message | undefined, index: number): void {
  const answered = next?.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  const missing = content.filter((block) => block.type === 'tool_use' && !answered?.includes(block.id));
  if (missing.length === 0) return;
  const ids = missing.map((block) => block.type === 'tool_use' && block.id).join(', ');
  refuse(`messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}`);
}

/** Within a message, results must come first. */
function checkResultsFirst({ content }: Message, index: number): void {
  const last = content.findLastIndex(({ type }) => type === 'tool_result');
  const other = content.slice(0, Math.max(last, 0)).find(({ type }) => type !== 'tool_result');
  if (other) refuse(`messages.${index}: \`tool_result\` blocks must come first in the content, found ${other.type}`);
}

/** Each call must still be preceded by the thinking that led to it, with no other thinking in between. */
function checkThinking({ content }: Message, index: number): void {
  let signature: string | undefined;
  content.forEach((block, position) => {
    if (block.type === 'thinking') signature = block.signature;
    const thought = block.type === 'tool_use' ? thoughtOf(block.id) : undefined;
    if (thought === undefined || signature?.split('@')[0] === signatureOf(thought)) return;
    refuse(
      `messages.${index}.content.${position}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    );
  });
  const last = content.at(-1)?.type;
  if (last === 'thinking' || last === 'redacted_thinking') {
    refuse(`messages.${index}: The final block in an assistant message cannot be \`${last}\`.`);
  }
}

function refuse(message: string): never {
  throw new RequestRefusedError('invalid_request', message);
}
