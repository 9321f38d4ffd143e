import type { Rule } from '../../domain/permissions/rule.ts';
import type { Longhaul } from '../longhaul.ts';

export interface McpOptions {
  /** Connects on the first call that needs it, so that a client can start before the stack. */
  connect(): Promise<Longhaul>;
  /** Forgets the connection, since a server of it is unreachable: a stack that was restarted may have other addresses. */
  disconnect(): void;
  /** The person's own rules; those on tools apply. */
  rules: readonly Rule[];
  /** Folders that the person gave to the client: a project of its own has to be in one of them, or below the data folder. */
  folders: readonly string[];
  version: string;
  /** Told of what is no known failure: a bug. */
  onDefect(error: unknown): void;
}
