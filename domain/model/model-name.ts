/** Splits the models of one role, which are tried in order: `openai/gpt-5, anthropic/claude-sonnet-5`. */
export function splitModelNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Whether there is at least one name, and each is a valid model name, with or without its provider. */
export function areModelNames(names: string): boolean {
  const each = splitModelNames(names);
  return each.length > 0 && each.every((name) => !/^\s*\/|\/\s*$/.test(name));
}

/** Every provider that a model's name may begin with. A name without one means the first provider, which is never a user-defined one. */
export function providerNamesOf(options: {
  providers: Record<string, unknown>;
  own?: readonly { name: string }[] | undefined;
}): string[] {
  return [...new Set([...Object.keys(options.providers), ...(options.own ?? []).map(({ name }) => name)])];
}

/**
 * Splits `provider/model`. If the first part is no provider, the whole name is a model of the first provider, since routers' model names contain
 * slashes too.
 */
export function parseModelName(name: string, providers: readonly string[]): { provider: string; model: string } {
  const slash = name.indexOf('/');
  const first = slash === -1 ? undefined : name.slice(0, slash);
  if (first !== undefined && providers.includes(first)) return { provider: first, model: name.slice(slash + 1) };
  return { provider: providers[0] ?? 'openai', model: name };
}
