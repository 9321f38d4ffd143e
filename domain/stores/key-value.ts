import type { Json } from './json.ts';
import type { Purgeable } from './purge.ts';
import type { Scope } from './scope.ts';

export interface Entry {
  key: string;
  value: Json;
  /** Changes with every write; no two writes of a key have the same, also if it was deleted in between. */
  version: string;
  createdAt: Date;
  changedAt: Date;
}

export interface EntryPage {
  /** Only keys that begin with it. */
  prefix?: string | undefined;
  /** Only keys that follow it. */
  after?: string | undefined;
  /** 1,000 if absent. */
  limit?: number | undefined;
}

/** Values by key, each in a scope. */
export interface KeyValueStore extends Purgeable {
  get(scope: Scope, key: string): Promise<Entry | undefined>;
  /** @throws {StoreError} `NotJson`, or `InvalidInput` for a key that is empty or has more than 500 characters. */
  set(scope: Scope, key: string, value: Json): Promise<Entry>;
  /**
   * Writes only if the entry still has this version, or does not exist if `expected` is null; undefined if that is not so.
   * @throws {StoreError} as `set`.
   */
  compareAndSet(scope: Scope, key: string, expected: string | null, value: Json): Promise<Entry | undefined>;
  /** False if there was none. */
  delete(scope: Scope, key: string): Promise<boolean>;
  /** In the order of the code points of the keys. */
  list(scope: Scope, page?: EntryPage): Promise<Entry[]>;
  /** Deletes the entries of a scope, or those with the prefix; returns how many. */
  clear(scope: Scope, options?: { prefix?: string | undefined }): Promise<number>;
}
