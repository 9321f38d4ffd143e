import type { StoreName } from '../../domain/stores/purge.ts';
import { methodsOf } from '../../domain/stores/rules/check-store.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import type { StoreSet } from '../../domain/stores/stores.ts';

/** A store of the user's own: an instance, a function that makes one, or a class with what its constructor takes. */
export type StoreChoice<Store> =
  | Store
  | (() => Store | Promise<Store>)
  | { use: new (options: never) => Store; options?: unknown };

/** Those that are absent are Longhaul's. */
export type StoreChoices = { [Name in StoreName]?: StoreChoice<StoreSet[Name]> | undefined };

/**
 * The chosen store, made if it has to be.
 * @throws {StoreError} `StoreUnusable` if it lacks methods, or a class was given as if it were a function.
 */
export async function chooseStore<Name extends StoreName>(
  name: Name,
  choice: StoreChoice<StoreSet[Name]>,
): Promise<StoreSet[Name]> {
  const store: unknown = await make(name, choice);
  const missing = methodsOf(name).filter(
    (method) => typeof (store as Record<string, unknown>)?.[method] !== 'function',
  );
  if (missing.length)
    throw unusable(`Expected a store for \`${name}\` with all of its methods, but it lacks ${missing.join(', ')}.`);
  return store as StoreSet[Name];
}

async function make(name: StoreName, choice: unknown): Promise<unknown> {
  if (typeof choice === 'function') {
    if (/^class\b/.test(Function.prototype.toString.call(choice)))
      throw unusable(`Expected a store, a function or \`{ use: class, options }\` for \`${name}\`, got a bare class.`);
    return choice();
  }
  if (typeof choice !== 'object' || choice === null || !('use' in choice)) return choice;
  const { use, options } = choice as { use: new (options: unknown) => unknown; options?: unknown };
  return new use(options);
}

function unusable(message: string): StoreError {
  return new StoreError('StoreUnusable', `${message} The interfaces are described in docs/stores.md.`);
}
