import type { CountedSoFar, ModelAnswer, ModelRequest, ModelUsage } from '../../domain/model/model-provider.ts';

/** Characters per token of English text and code, roughly. */
const charactersPerToken = 3.5;

/** How many times fewer tokens than estimated are believed. Tokenizers put 1 to 6 characters of text and code into a token; 14 are never the mean. */
const believedFactor = 4;

/** More tokens than any call has: the largest windows are of some millions. It also keeps within an integer of Postgres. */
const maxTokens = 1_000_000_000;

/**
 * The usage of an answer as far as it can be: impossible counts (negative, fractions, none for a text, more than a billion, more cached than read) and
 * those below a quarter of an estimate by the characters are replaced by the estimate. `isEstimated` says whether one was.
 */
export function checkUsage(
  counted: ModelUsage,
  request: Pick<ModelRequest, 'messages' | 'tools'>,
  answer: Pick<ModelAnswer, 'text' | 'toolCalls'>,
): { usage: ModelUsage; isEstimated: boolean } {
  const inputTokens = believe(counted.inputTokens, estimateRequest(request));
  const outputTokens = believe(counted.outputTokens, estimateAnswer(answer));
  const cachedTokens = partOf(inputTokens, counted.cachedTokens);
  const usage = {
    inputTokens,
    cachedTokens,
    cacheWriteTokens: partOf(inputTokens - cachedTokens, counted.cacheWriteTokens),
    outputTokens,
    reasoningTokens: partOf(outputTokens, counted.reasoningTokens),
  };
  const parts = Object.keys(usage) as Array<keyof ModelUsage>;
  return { usage, isEstimated: parts.some((part) => usage[part] !== counted[part]) };
}

/** What was counted of a call that broke off, without what cannot be. */
export function possibleCounts(counted: CountedSoFar): CountedSoFar {
  return Object.fromEntries(Object.entries(counted).filter(([, count]) => isPossible(count)));
}

function isPossible(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= maxTokens;
}

function believe(count: number, estimate: number): number {
  return isPossible(count) && count >= Math.floor(estimate / believedFactor) ? count : estimate;
}

function partOf(whole: number, count: number): number {
  return isPossible(count) && count <= whole ? count : 0;
}

/** Without what the provider carries from answer to answer, of which it may drop parts. */
function estimateRequest({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const said = messages.reduce((sum, { content }) => sum + content.text.length + lengthOfCalls(content.toolCalls), 0);
  return Math.ceil((said + (tools.length ? JSON.stringify(tools).length : 0)) / charactersPerToken);
}

function estimateAnswer({ text, toolCalls }: Pick<ModelAnswer, 'text' | 'toolCalls'>): number {
  return Math.ceil((text.length + lengthOfCalls(toolCalls)) / charactersPerToken);
}

function lengthOfCalls(calls: ModelAnswer['toolCalls'] = []): number {
  return calls.reduce((sum, { name, arguments: text }) => sum + name.length + text.length, 0);
}
