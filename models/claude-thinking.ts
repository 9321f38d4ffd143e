import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from './model-provider.ts';

/** The first version that thinks by default; it omits the text of its thinking unless a summary is requested. */
const thinksByDefault = 5;
/** The first version with adaptive thinking; older ones take a token budget or do not think. */
const thinksAdaptively = 4.6;
/** The first version whose thinking blocks are only valid after the same system prompt, tools and messages as when they were produced. */
const bindsThoughts = 5.1;

/** The beta that `block_binding` requires. */
export const bindingBeta = 'thinking-binding-controls-2026-08-01';

/** Whether the model rejects thinking blocks after anything before them has changed. */
export function bindsItsThoughts({ model }: ModelRequest): boolean {
  return versionOf(model) >= bindsThoughts;
}

/**
 * The `thinking` parameter; undefined to leave it to the model. With binding, the API drops the blocks after a change (a new tool, shortened
 * output) instead of rejecting this request and every later one of the conversation.
 */
export function thinkingOf({ model, reasoningEffort }: ModelRequest, isBindingTaken: boolean) {
  const version = versionOf(model);
  if (!reasoningEffort && version < thinksByDefault) return undefined;
  const binding: Anthropic.Beta.BetaThinkingBlockBinding = { prefix_mismatch_behavior: 'drop_block' };
  return {
    type: 'adaptive' as const,
    ...(version >= thinksAdaptively && { display: 'summarized' as const }),
    ...(isBindingTaken && { block_binding: binding }),
  };
}

/** The version in a Claude model's name, such as 4.5 in `claude-haiku-4-5-20251001`; 0 if there is none. */
function versionOf(model: string): number {
  const [, major, minor] = /claude-[a-z]+-(\d+)(?:[-.](\d)(?!\d))?/.exec(model) ?? [];
  return Number(major ?? 0) + Number(minor ?? 0) / 10;
}
