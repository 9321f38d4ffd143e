/** Models of one role, tried in order: `openai/gpt-5, anthropic/claude-sonnet-5`. */
export function splitModelNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** True where each is a name, of a provider's model or alone, and there is one. */
export function areModelNames(names: string): boolean {
  const each = splitModelNames(names);
  return each.length > 0 && each.every((name) => !/^\s*\/|\/\s*$/.test(name));
}

/** Every provider that a name may begin with; where it begins with none, the first is meant, which is never one of the user's own. */
export function providerNamesOf(options: {
  providers: Record<string, unknown>;
  own?: readonly { name: string }[] | undefined;
}): string[] {
  return [...new Set([...Object.keys(options.providers), ...(options.own ?? []).map(({ name }) => name)])];
}

/**
 * `provider/model` in its parts. A name whose first part is no provider's is the first provider's own, since models of routers have
 * slashes too.
 */
export function parseModelName(name: string, providers: readonly string[]): { provider: string; model: string } {
  const slash = name.indexOf('/');
  const first = slash === -1 ? undefined : name.slice(0, slash);
  if (first !== undefined && providers.includes(first)) return { provider: first, model: name.slice(slash + 1) };
  return { provider: providers[0] ?? 'openai', model: name };
}
