/** Tokens of one request, by the start of a model's name; the longest start that fits counts. */
const windows: Record<string, number> = {
  'anthropic/claude': 200_000,
  'anthropic/claude-opus-5': 1_000_000,
  'anthropic/claude-sonnet-5': 1_000_000,
  'anthropic/claude-haiku-5-5': 1_000_000,
  'openai/gpt-5': 272_000, // of 400,000, which the answer's 128,000 are a part of
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-4o': 128_000,
};

/** What a model that nobody knows is given: common among models that can be run at home, and no more than any provider's. */
const usual = 128_000;

/**
 * The context window of a model (`provider/model`), tokens: what a setting says of it, what is known of it, or what a setting says of all
 * that are not known.
 */
export function contextWindowOf(
  model: string,
  { set, unknown = usual }: { set?: Record<string, number>; unknown?: number | undefined } = {},
): number {
  const fitting = Object.keys(windows).filter((start) => model.startsWith(start));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return set?.[model] ?? (longest === undefined ? undefined : windows[longest]) ?? unknown;
}
