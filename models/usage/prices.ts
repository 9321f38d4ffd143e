import type { ModelUsage } from '../../domain/model/model-provider.ts';

/** US dollars per million tokens. */
interface Price {
  input: number;
  cached: number;
  /** Price of writing to the provider's prompt cache, if it is higher than `input`. */
  cacheWrite?: number;
  output: number;
  /** Prices for requests of more than `from` tokens, if they differ. */
  longRequest?: { from: number; price: Price };
}

/**
 * The providers' own prices as of 22 November 2026: https://platform.claude.com/docs/en/about-claude/pricing and
 * https://developers.openai.com/api/docs/pricing. The cost of a model that is not listed is unknown, not zero.
 */
const prices: Record<string, Price> = {
  'anthropic/claude-opus-5-5': { input: 4, cached: 0.2, cacheWrite: 5, output: 20 },
  'anthropic/claude-opus-5': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-opus-4-5': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-sonnet-5-5': { input: 2, cached: 0.1, cacheWrite: 2.5, output: 10 },
  'anthropic/claude-sonnet-5': { input: 2, cached: 0.2, cacheWrite: 2.5, output: 10 },
  'anthropic/claude-sonnet-4-5': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 },
  'anthropic/claude-haiku-4-5': { input: 1, cached: 0.1, cacheWrite: 1.25, output: 5 },
  'anthropic/claude-haiku-5-5': {
    input: 0.1,
    cached: 0.01,
    cacheWrite: 0.125,
    output: 0.5,
    longRequest: { from: 100_000, price: { input: 0.5, cached: 0.05, cacheWrite: 0.625, output: 2.5 } },
  },
  'openai/gpt-5.4': { input: 2.5, cached: 0.25, output: 15 },
  'openai/gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 },
  'openai/gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'openai/gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'openai/text-embedding-3-small': { input: 0.02, cached: 0.02, output: 0 },
  'openai/text-embedding-3-large': { input: 0.13, cached: 0.13, output: 0 },
  'openai/gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
};

const million = 1_000_000;

/** The cost of a call in US dollars; null if the model (`provider/model`) is not listed. */
export function costOf(model: string, usage: ModelUsage): number | null {
  const listed = prices[model] ?? prices[model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')]; // or a dated version of a listed model
  if (!listed) return null;
  const price = listed.longRequest && usage.inputTokens > listed.longRequest.from ? listed.longRequest.price : listed;
  const fresh = usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens;
  const dollars =
    fresh * price.input +
    usage.cachedTokens * price.cached +
    usage.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return dollars / million;
}
