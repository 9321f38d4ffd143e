import type { ModelRole } from './model-role.ts';

/** Where a setting was made, highest precedence first. `.env` is told apart from the environment only in what a person is shown. */
export type Source = 'project' | 'environment' | '.env' | 'file' | 'default';

/** The values of a per-role setting from one source. */
export interface Layer<Value> {
  source: Source;
  /** For the roles not in `roles`. */
  all?: Value | undefined;
  roles: { [Role in ModelRole]?: Value | undefined };
}

/** A value and its source. */
export interface Sourced<Value> {
  value: Value;
  source: Source;
}

/** The value of the first layer that has one: the role's own, else `all`. With `own`, `all` is ignored. */
export function pick<Value>(
  layers: Layer<Value>[],
  role: ModelRole,
  { own = false }: { own?: boolean } = {},
): Sourced<Value> | undefined {
  for (const { source, all, roles } of layers) {
    const value = roles[role] ?? (own ? undefined : all);
    if (value !== undefined) return { value, source };
  }
  return undefined;
}
