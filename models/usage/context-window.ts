/** Tokens of one request, by the start of a model's name; the longest start that matches counts. */
const windows: Record<string, number> = {
  'anthropic/claude': 200_000,
  'anthropic/claude-opus-5': 1_000_000,
  'anthropic/claude-sonnet-5': 1_000_000,
  'anthropic/claude-haiku-5-5': 1_000_000,
  'openai/gpt-5': 272_000, // of 400,000, which include 128,000 for the answer
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-4o': 128_000,
};

/** The window of a model that is not known: common among models that can be run at home, and no larger than any provider's. */
const usual = 128_000;

/** The context window of a model (`provider/model`) in tokens: as set for it, else as listed here, else as set for all models that are not listed. */
export function contextWindowOf(
  model: string,
  { set, unknown = usual }: { set?: Record<string, number>; unknown?: number | undefined } = {},
): number {
  const fitting = Object.keys(windows).filter((start) => model.startsWith(start));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return set?.[model] ?? (longest === undefined ? undefined : windows[longest]) ?? unknown;
}
