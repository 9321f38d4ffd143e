import { copyJson, type Json, toJson } from '../json.ts';
import type { Entry, EntryPage } from '../key-value.ts';
import { expectKey } from '../rules/entry-key.ts';
import { compareText } from './compare-text.ts';

/** Entries by owner and key, in this process's memory. */
export class EntryMap {
  readonly #byOwner = new Map<string, Map<string, Entry>>();

  get(owner: string, key: string): Entry | undefined {
    const found = this.#byOwner.get(owner)?.get(key);
    return found && { ...found, value: copyJson(found.value) };
  }

  set(owner: string, key: string, value: Json): Entry {
    expectKey(key);
    const kept: Json = JSON.parse(toJson(value));
    const entries = this.#byOwner.get(owner) ?? new Map<string, Entry>();
    const changedAt = new Date();
    const createdAt = entries.get(key)?.createdAt ?? changedAt;
    entries.set(key, { key, value: kept, version: crypto.randomUUID(), createdAt, changedAt });
    this.#byOwner.set(owner, entries);
    return { ...(entries.get(key) as Entry), value: copyJson(kept) };
  }

  delete(owner: string, key: string): boolean {
    return this.#byOwner.get(owner)?.delete(key) ?? false;
  }

  list(owner: string, { prefix = '', after, limit = 1_000 }: EntryPage = {}): Entry[] {
    return [...(this.#byOwner.get(owner)?.keys() ?? [])]
      .filter((key) => key.startsWith(prefix) && (after === undefined || compareText(key, after) > 0))
      .sort(compareText)
      .slice(0, limit)
      .map((key) => this.get(owner, key) as Entry);
  }

  /** Every owner with its entries. */
  all(): Array<[owner: string, entries: Entry[]]> {
    return [...this.#byOwner.keys()].map((owner) => [owner, this.list(owner, { limit: Number.POSITIVE_INFINITY })]);
  }
}
