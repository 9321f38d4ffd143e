import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage, ModelRequest, ReasoningEffort } from '../../domain/model/model-provider.ts';
import { anthropicCarrier } from './anthropic-messages.ts';

/** The first version that thinks by default; it omits the text of its thinking unless a summary is requested. */
const thinksByDefault = 5;
/** The first version that thinks at all. */
const thinks = 3.7;
/** The first version with adaptive thinking and an effort; older ones take a token budget, and reject both. */
const thinksAdaptively = 4.6;
/** Tokens of thinking until the next message, for versions that take a budget. The API requires at least 1,024. */
const budgets: Record<ReasoningEffort, number> = { low: 2_048, medium: 8_192, high: 16_384 };
const minBudget = 1_024;
/** The first version whose thinking blocks are only valid after the same system prompt, tools and messages as when they were produced. */
const bindsThoughts = 5.1;

/** Betas of the API: the first is required by `block_binding`, the second lets a model with a budget think between its calls too. */
export const betas = {
  binding: 'thinking-binding-controls-2026-08-01',
  interleaving: 'interleaved-thinking-2025-05-14',
} as const;

/** The betas to request. Interleaving only for models for which Amazon and Google accept it too; Anthropic itself ignores it for others. */
export function betasFor({ model, reasoningEffort }: ModelRequest): Array<keyof typeof betas> {
  const version = versionOf(model);
  if (version >= bindsThoughts) return ['binding'];
  const interleaves = version >= 4 && version < thinksAdaptively && !/haiku/.test(model);
  return interleaves && reasoningEffort ? ['interleaving'] : [];
}

/**
 * The `thinking` parameter; undefined to leave it to the model. With binding, the API drops the blocks after a change (a new tool, shortened
 * output) instead of rejecting this request and every later one of the conversation.
 */
export function thinkingOf(
  { model, messages, reasoningEffort, tools, toolChoice }: ModelRequest,
  { maxTokens, isBindingTaken }: { maxTokens: number; isBindingTaken: boolean },
) {
  const version = versionOf(model);
  if (!reasoningEffort && version < thinksByDefault) return undefined;
  const mustCall = tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');
  // The API refuses a request that both thinks and has to call a tool.
  if (mustCall) return version < thinksByDefault ? undefined : { type: 'disabled' as const };
  if (reasoningEffort && !takesEffort(model)) {
    // At least half of the answer's tokens stay for its text and calls.
    const budget = Math.min(budgets[reasoningEffort], Math.floor(maxTokens / 2));
    const canThink = version >= thinks && budget >= minBudget && !isAmidThoughtlessCalls(messages);
    return canThink ? { type: 'enabled' as const, budget_tokens: budget } : undefined;
  }
  const binding: Anthropic.Beta.BetaThinkingBlockBinding = { prefix_mismatch_behavior: 'drop_block' };
  return {
    type: 'adaptive' as const,
    ...(version > 0 && { display: 'summarized' as const }),
    ...(isBindingTaken && { block_binding: binding }),
  };
}

/**
 * With a budget, the API requires the answers since the last question to begin with thinking. Answers of another provider do not; later ones need
 * none.
 */
function isAmidThoughtlessCalls(messages: ModelMessage[]): boolean {
  const answers = messages.slice(lastQuestion(messages)).filter(({ role }) => role === 'assistant');
  return answers.length > 0 && !answers.some(({ content }) => content.carried?.provider === anthropicCarrier);
}

/** What follows the results of calls is sent in one message with them, and is no question to the API. */
function lastQuestion(messages: ModelMessage[]): number {
  return messages.findLastIndex(
    ({ role }, index) =>
      role === 'user' && messages.slice(0, index).findLast((earlier) => earlier.role !== 'user')?.role !== 'tool',
  );
}

/** The messages to send. A model that thinks only on request gets no thoughts: without `thinking`, the API rejects those since the last question. */
export function messagesFor({ model, messages }: ModelRequest, thinking: unknown): ModelMessage[] {
  const version = versionOf(model);
  if (thinking || version === 0 || version >= thinksByDefault) return messages;
  return messages.map(({ role, content: { carried: _, ...content } }) => ({ role, content }));
}

/** Whether the model knows `effort` and adaptive thinking; a name without a version, as gateways have them, is believed to. */
export function takesEffort(model: string): boolean {
  const version = versionOf(model);
  return version === 0 || version >= thinksAdaptively;
}

/** The version in a Claude model's name, such as 4.5 in `claude-haiku-4-5-20251001` or 3.7 in `claude-3-7-sonnet`; 0 if there is none. */
function versionOf(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d)(?!\d))?/.exec(model) ?? [];
  return Number(major ?? 0) + Number(minor ?? 0) / 10;
}
