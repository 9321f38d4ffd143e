import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { RequestRefusedError } from '../request-refused-error.ts';

interface BoundRequest {
  model: string;
  system?: unknown;
  tools?: unknown;
  messages: Array<{ content: Array<{ type: string }> }>;
  thinking?: { block_binding?: { prefix_mismatch_behavior?: unknown } | null | undefined } | null | undefined;
}

const beta = 'thinking-binding-controls-2026-08-01';

/**
 * A hash of what thinking blocks are bound to: system prompt, tools and messages, without thinking and `cache_control`. Empty for models
 * that do not bind them.
 */
export function bindingOf({ model, system, tools, messages }: BoundRequest, upTo = messages.length): string {
  if (!/claude-[a-z]+-5-[1-9]/.test(model)) return '';
  const before = messages
    .slice(0, upTo)
    .map((message) => ({ ...message, content: message.content.filter((block) => !isThinking(block)) }));
  const text = JSON.stringify({ system, tools, before }, (key, value) => (key === 'cache_control' ? undefined : value));
  return `@${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/**
 * Checks that nothing before the thinking blocks has changed.
 * @throws {RequestRefusedError} if it has, unless the request asks to drop them.
 */
export function checkBinding(request: BoundRequest, headers: IncomingHttpHeaders): void {
  const binding = request.thinking?.block_binding;
  if (binding && !String(headers['anthropic-beta']).includes(beta)) {
    refuse('thinking.adaptive.block_binding: Extra inputs are not permitted');
  }
  if (binding?.prefix_mismatch_behavior === 'drop_block') return;
  request.messages.forEach(({ content }, index) => {
    const bound = bindingOf(request, index);
    const position = content.findIndex((block) => 'signature' in block && !String(block.signature).endsWith(bound));
    if (position === -1) return;
    refuse(
      `messages.${index}.content.${position}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
    );
  });
}

function isThinking({ type }: { type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function refuse(message: string): never {
  throw new RequestRefusedError('invalid_request', message);
}
