import type { Json } from '../json.ts';
import type { Entry, KeyValueStore } from '../key-value.ts';
import type { Scope } from '../scope.ts';

/** Changes an entry on top of concurrent changes; `change` gets undefined if there is none, and may be called more than once. */
export async function updateEntry(
  store: Pick<KeyValueStore, 'get' | 'compareAndSet'>,
  scope: Scope,
  key: string,
  change: (value: Json | undefined) => Json,
): Promise<Entry> {
  for (;;) {
    const found = await store.get(scope, key);
    const written = await store.compareAndSet(scope, key, found?.version ?? null, change(found?.value));
    if (written) return written;
  }
}
