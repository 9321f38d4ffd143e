/** Tokens of one request and its answer, by the start of a model's name; the longest start that fits counts. */
const windows: Record<string, number> = {
  'anthropic/claude': 200_000,
  'anthropic/claude-opus-5': 1_000_000,
  'anthropic/claude-sonnet-5': 1_000_000,
  'anthropic/claude-haiku-5-5': 1_000_000,
  'openai/gpt-5': 400_000,
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-4o': 128_000,
};

/** What a model that is not listed is given: common among models that can be run at home, and less than any of a provider's. */
const usual = 128_000;

/** The context window of a model (`provider/model`), tokens. */
export function contextWindowOf(model: string): number {
  const fitting = Object.keys(windows).filter((start) => model.startsWith(start));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return (longest && windows[longest]) || usual;
}
