/** Models that are good at calling tools, where none is named; the provider that is set decides. */
const defaults: Record<string, string> = { openai: 'openai/gpt-5', anthropic: 'anthropic/claude-sonnet-5' };

export interface ModelNames {
  /** Models of all roles, tried in order. */
  name?: string;
  /** The same for one role. */
  roles: Record<string, string>;
  /** Of these the first is the one that is set. */
  providers: Record<string, unknown>;
}

/** The models that a role asks where its project names none, tried in order. */
export function modelOf({ name, roles, providers }: ModelNames, role: string): string {
  return roles[role] ?? name ?? defaults[Object.keys(providers)[0] ?? ''] ?? 'openai/gpt-5';
}
