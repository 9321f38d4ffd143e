import type { StoreName } from '../purge.ts';
import type { StoreSet } from '../stores.ts';
import { createInputCheck, storeInputs } from './store-inputs.ts';

/** The methods of a store. */
export function methodsOf<Name extends StoreName>(name: Name): Array<keyof StoreSet[Name] & string> {
  return Object.keys(storeInputs[name]) as Array<keyof StoreSet[Name] & string>;
}

/** A store whose methods refuse what no implementation has to understand; all else of it stays as it is. */
export function checkStore<Name extends StoreName>(name: Name, store: StoreSet[Name]): StoreSet[Name] {
  const methods = new Map(methodsOf(name).map((method) => [method as string, checked(name, store, method)]));
  return new Proxy(store, {
    get(_, property) {
      const own: unknown = Reflect.get(store, property, store);
      // A method beside those of the interface may use private fields, which the proxy has not.
      return methods.get(String(property)) ?? (typeof own === 'function' ? own.bind(store) : own);
    },
  });
}

function checked<Name extends StoreName>(name: Name, store: StoreSet[Name], method: keyof StoreSet[Name] & string) {
  const check = createInputCheck(name, method);
  const call = (...given: unknown[]) => {
    check(given);
    return (store as unknown as Record<string, (...parameters: unknown[]) => unknown>)[method]?.(...given);
  };
  if (method !== 'export') return async (...given: unknown[]) => call(...given);
  return async function* (...given: unknown[]) {
    yield* call(...given) as ReturnType<StoreSet[Name]['export']>;
  };
}
