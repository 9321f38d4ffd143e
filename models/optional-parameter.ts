/**
 * Sends requests with a parameter that not every server, account or model accepts. If the error names it, the request is sent again without
 * it, and if that succeeds, later requests to the same model omit it from the start.
 */
export function createOptionalParameter(names: RegExp) {
  const refusedBy = new Set<string>();
  return async function send<Answer>(model: string, ask: (isTaken: boolean) => Promise<Answer>): Promise<Answer> {
    if (refusedBy.has(model)) return ask(false);
    try {
      return await ask(true);
    } catch (error) {
      if (!isRefusalOf(names, error)) throw error;
      const answer = await ask(false);
      refusedBy.add(model);
      return answer;
    }
  };
}

/** Reads the errors of the OpenAI and Anthropic clients. */
function isRefusalOf(names: RegExp, error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error) || !('error' in error)) return false;
  return (error.status === 400 || error.status === 422) && names.test(JSON.stringify(error.error) ?? '');
}
