import type { StoreName } from '../purge.ts';
import type { StoreSet } from '../stores.ts';
import { checkStoreInput, storeInputs } from './store-inputs.ts';

/** The methods of a store. */
export function methodsOf<Name extends StoreName>(name: Name): Array<keyof StoreSet[Name] & string> {
  return Object.keys(storeInputs[name]) as Array<keyof StoreSet[Name] & string>;
}

/** A store whose methods refuse what no implementation has to understand; all else of it stays as it is. */
export function checkStore<Name extends StoreName>(name: Name, store: StoreSet[Name]): StoreSet[Name] {
  const methods = new Map(methodsOf(name).map((method) => [method as string, checked(name, store, method)]));
  return new Proxy(store, {
    get: (_, property) => methods.get(String(property)) ?? Reflect.get(store, property, store),
  });
}

function checked<Name extends StoreName>(name: Name, store: StoreSet[Name], method: keyof StoreSet[Name] & string) {
  const call = (...given: unknown[]) => {
    checkStoreInput(name, method, given);
    return (store as unknown as Record<string, (...parameters: unknown[]) => unknown>)[method]?.(...given);
  };
  if (method !== 'export') return async (...given: unknown[]) => call(...given);
  return async function* (...given: unknown[]) {
    yield* call(...given) as ReturnType<StoreSet[Name]['export']>;
  };
}
