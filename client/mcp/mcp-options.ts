import type { Rule } from '../../domain/permissions/rule.ts';
import type { Longhaul } from '../longhaul.ts';

export interface McpOptions {
  /** Connects on the first call that needs it, so that a client can start before the stack. */
  connect(): Promise<Longhaul>;
  /** The person's own rules; those on tools apply. */
  rules: readonly Rule[];
  version: string;
  /** Told of what is no known failure: a bug. */
  onDefect(error: unknown): void;
}
