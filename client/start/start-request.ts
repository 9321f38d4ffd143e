import type { ProposalInput } from '../../agents/proposal.ts';
import type { ProjectEvent } from '../../db/events/event.ts';
import type { SettingsRequest } from './check-settings.ts';

export interface StartRequest {
  goal: string;
  /** Shown in lists and part of the project's id; the goal's first words where absent. */
  name?: string | undefined;
  /** An absolute path on the worker's machine; below Longhaul's data folder where absent. */
  folder?: string | undefined;
  /** Take a folder that has files and no git repository. */
  adopt?: boolean | undefined;
  /** Features of one's own instead of an initializer's. */
  features?: ProposalInput | undefined;
  settings?: SettingsRequest | undefined;
  /** Hears each event of the project until the connection is closed; what it throws is an unhandled rejection. */
  onProgress?: ((event: ProjectEvent) => void | Promise<void>) | undefined;
}
