import type { ExportedRow, Owner, PurgeSubject, Removed, StoreName } from '../../domain/stores/purge.ts';
import type { StoreSet } from '../../domain/stores/stores.ts';

/** What a purge removed, and what stays elsewhere. */
export interface PurgeReport {
  removed: Removed[];
  /** Sentences: what else there may be, and who removes it. */
  left: string[];
}

/** What agents and programs keep: one store of each kind. */
export interface Stores extends StoreSet {
  /**
   * Removes all that is kept about a person or a project, or what was last used before a moment, and lists it; with `dryRun`, only lists it. It may
   * be repeated after a failure. `only` names the stores that are meant.
   * @throws {StoreError} `ProjectNotEnded` or `RunNotEnded` before anything is removed.
   */
  purge(
    subject: PurgeSubject,
    options?: { dryRun?: boolean | undefined; only?: StoreName[] | undefined },
  ): Promise<PurgeReport>;
  /** All that is kept about a person or a project, or all. */
  export(owner?: Owner, options?: { only?: StoreName[] | undefined }): AsyncIterable<ExportedRow>;
}

/** What is kept outside the stores: runs of agents, and Longhaul's own projects. */
export interface BesideStores {
  /** @throws {StoreError} `ProjectNotEnded` or `RunNotEnded` before anything is removed. */
  purge(subject: PurgeSubject, options: { dryRun: boolean }): Promise<PurgeReport>;
  export(owner?: Owner): AsyncIterable<ExportedRow>;
}
