import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage } from '../../domain/model/model-provider.ts';
import { partsOf } from '../conversation/carried-order.ts';
import { sendableCall, sendableId, sendableInput } from '../conversation/sendable-call.ts';

type Block = Anthropic.ContentBlockParam;

/** The provider that the blocks carried from turn to turn are marked with. */
export const anthropicCarrier = 'anthropic';

/** Maximum length of a call's id as sent; the API says which characters it accepts, not how many. */
const maxId = 64;

/** The cache lasts for five minutes after each use; the next turn reads from it what this one sent up to the mark. */
const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * Renders a transcript for the Messages API: the system prompt apart, the results of one turn's calls together in one message. The prompt cache is
 * marked at the system prompt (which includes the tools before it), at the last message, and where the previous request ended: from each mark the API
 * looks back only 20 blocks, and a turn may have more.
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
    return [{ type: 'tool_result', tool_use_id: sendableId(toolCallId ?? '', maxId), content: text }];
  }
  if (role !== 'assistant') {
    const images = (content.images ?? []).map(({ type, data = '' }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: type, data },
    }));
    return [...images, { type: 'text', text: isBlank(text) ? '(empty)' : text }];
  }
  const blocks = partsOf(content, anthropicCarrier).flatMap((part): Block[] => {
    // Unchanged, with its signature and in its place, or the API refuses the request.
    if ('item' in part) return [part.item as Block];
    if ('text' in part) return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    const { id, arguments: given } = part.call;
    const { name } = sendableCall(part.call);
    return [{ type: 'tool_use', id: sendableId(id, maxId), name, input: sendableInput(given) }];
  });
  // The API accepts no empty message, and none that ends with thinking.
  if (blocks.length === 0 || isThinking(blocks.at(-1))) blocks.push({ type: 'text', text: '(no answer)' });
  return blocks;
}

/** The API accepts no text that is nothing but white space. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isThinking(block: Block | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
