import type Anthropic from '@anthropic-ai/sdk';
import { partsOf } from './carried-order.ts';
import type { ModelMessage } from './model-provider.ts';
import { sendableCall, sendableId, sendableInput } from './sendable-call.ts';

type Block = Anthropic.ContentBlockParam;

/** What the blocks that are carried from turn to turn are marked with. */
export const anthropicCarrier = 'anthropic';

/** Characters of a call's id that are sent; the API says which ones it takes, not how many. */
const longestId = 64;

/** Kept for five minutes after each use; up to here, what one turn sent is read from the cache by the next. */
const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * A transcript as the Messages API takes it: the system prompt apart, results of one turn's calls together in one message. The prompt
 * cache is asked to keep it up to the system prompt (with the tools before it), up to the last message, and up to where the request before
 * ended: of what is kept the API looks back 20 blocks only from each mark, and a turn may have more.
 */
export function toAnthropicMessages(
  transcript: ModelMessage[],
): Pick<Anthropic.MessageCreateParams, 'system' | 'messages'> {
  const system = transcript
    .filter(({ role, content }) => role === 'system' && !isBlank(content.text))
    .map(({ content }) => content.text);
  const messages: Array<{ role: 'user' | 'assistant'; content: Block[] }> = [];
  for (const message of transcript) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: blocks });
  }
  for (const place of [-1, -3]) markLast(messages.at(place)?.content);
  return {
    ...(system.length && { system: [{ type: 'text' as const, text: system.join('\n\n'), ...cached }] }),
    messages,
  };
}

function markLast(blocks: Block[] = []): void {
  const last = blocks.at(-1);
  if (last) blocks[blocks.length - 1] = { ...last, ...cached } as Block;
}

function toBlocks({ role, content }: ModelMessage): Block[] {
  const { text, toolCallId } = content;
  if (role === 'tool') {
    return [{ type: 'tool_result', tool_use_id: sendableId(toolCallId ?? '', longestId), content: text }];
  }
  if (role !== 'assistant') return [{ type: 'text', text: isBlank(text) ? '(empty)' : text }];
  const blocks = partsOf(content, anthropicCarrier).flatMap((part): Block[] => {
    // Unchanged, with its signature and in its place, or the API refuses the request.
    if ('item' in part) return [part.item as Block];
    if ('text' in part) return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    const { id, arguments: given } = part.call;
    const { name } = sendableCall(part.call);
    return [{ type: 'tool_use', id: sendableId(id, longestId), name, input: sendableInput(given) }];
  });
  // The API takes no empty message, and none that ends with thinking.
  if (blocks.length === 0 || isThinking(blocks.at(-1))) blocks.push({ type: 'text', text: '(no answer)' });
  return blocks;
}

/** The API takes no text of nothing but white space. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isThinking(block: Block | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
