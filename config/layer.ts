import type { ModelRole } from '../models/model-role.ts';

/** Where a setting was made; the earlier goes before the later. Where a person is told, what `.env` gave the environment is told apart. */
export type Source = 'project' | 'environment' | '.env' | 'file' | 'default';

/** What one source says of a setting that roles have. */
export interface Layer<Value> {
  source: Source;
  /** For the roles that it does not name. */
  all?: Value | undefined;
  roles: { [Role in ModelRole]?: Value | undefined };
}

/** A value and who set it. */
export interface Sourced<Value> {
  value: Value;
  source: Source;
}

/** The value of the first layer that has one for the role, or where it may be used for all, one for all. */
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
