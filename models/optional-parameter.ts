/**
 * Sends requests with parameters that not every server, account or model accepts. If an error names one, the request is sent again without it, and
 * if that succeeds, later requests with the same key, such as the model, omit it from the start.
 */
export function createOptionalParameters<Name extends string>(patterns: Record<Name, RegExp>) {
  const refused = new Map<string, Set<Name>>();
  return async function send<Answer>(
    key: string,
    wanted: readonly Name[],
    ask: (taken: ReadonlySet<Name>) => Promise<Answer>,
  ): Promise<Answer> {
    const taken = new Set(wanted.filter((name) => !refused.get(key)?.has(name)));
    const dropped = new Set<Name>();
    for (;;) {
      try {
        const answer = await ask(taken);
        if (dropped.size) refused.set(key, new Set([...dropped, ...(refused.get(key) ?? [])]));
        return answer;
      } catch (error) {
        const named = [...taken].filter((name) => isRefusalOf(patterns[name], error));
        if (named.length === 0) throw error;
        for (const name of named) {
          taken.delete(name);
          dropped.add(name);
        }
      }
    }
  };
}

/** Reads the errors of the OpenAI and Anthropic clients. */
function isRefusalOf(names: RegExp, error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error) || !('error' in error)) return false;
  return (error.status === 400 || error.status === 422) && names.test(JSON.stringify(error.error) ?? '');
}
