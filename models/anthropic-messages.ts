import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage } from './model-provider.ts';

type Block = Anthropic.ContentBlockParam;

/** What the blocks that are carried from turn to turn are marked with. */
export const anthropicCarrier = 'anthropic';

/** Kept for five minutes after each use; up to here, what one turn sent is read from the cache by the next. */
const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * A transcript as the Messages API takes it: the system prompt apart, results of one turn's calls together in one message. The prompt
 * cache is asked to keep it up to the system prompt (with the tools before it) and up to the last message.
 */
export function toAnthropicMessages(
  transcript: ModelMessage[],
): Pick<Anthropic.MessageCreateParams, 'system' | 'messages'> {
  const system = transcript.filter(({ role }) => role === 'system').map(({ content }) => content.text);
  const messages: Array<{ role: 'user' | 'assistant'; content: Block[] }> = [];
  for (const message of transcript) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: blocks });
  }
  const lastMessage = messages.at(-1)?.content;
  const lastBlock = lastMessage?.at(-1);
  if (lastMessage && lastBlock) lastMessage[lastMessage.length - 1] = { ...lastBlock, ...cached } as Block;
  return {
    ...(system.length && { system: [{ type: 'text' as const, text: system.join('\n\n'), ...cached }] }),
    messages,
  };
}

function toBlocks({ role, content }: ModelMessage): Block[] {
  const { text, toolCalls = [], toolCallId, carried } = content;
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: toolCallId ?? '', content: text }];
  if (role !== 'assistant') return [{ type: 'text', text: text || '(empty)' }];
  const blocks: Block[] = [
    // Thinking stands first, unchanged and with its signature, or the API refuses the request.
    ...(carried?.provider === anthropicCarrier ? (carried.items as Block[]) : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...toolCalls.map((call) => ({
      type: 'tool_use' as const,
      id: call.id,
      name: call.name,
      input: toInput(call.arguments),
    })),
  ];
  return blocks.length ? blocks : [{ type: 'text', text: '(no answer)' }]; // the API takes no empty message
}

/** The API takes objects only; arguments that were none are shown back to the model as they came. */
function toInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // below, like all that is no object
  }
  return { not_json: text };
}
