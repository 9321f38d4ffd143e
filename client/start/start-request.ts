import type { ProposalInput } from '../../domain/project/proposal.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import type { SettingsRequest } from './check-settings.ts';

export interface StartRequest {
  goal: string;
  /** Shown in lists and part of the project's id; defaults to the goal's first words. */
  name?: string | undefined;
  /** An absolute path on the worker's machine; defaults to a folder below Longhaul's data folder. */
  folder?: string | undefined;
  /** Accept a folder that has files but no git repository. */
  adopt?: boolean | undefined;
  /** Features to use instead of an initializer's. */
  features?: ProposalInput | undefined;
  settings?: SettingsRequest | undefined;
  /** Called with each event of the project until the connection is closed; an error it throws becomes an unhandled rejection. */
  onProgress?: ((event: ProjectEvent) => void | Promise<void>) | undefined;
}
