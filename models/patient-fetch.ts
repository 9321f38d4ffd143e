import { runInThisContext } from 'node:vm';

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/** Node's own global object, even where tests (jest) have globals of their own. */
const shared = runInThisContext('globalThis') as Record<symbol, Dispatcher | undefined>;

/** The symbol under which Node's `fetch`, which is undici's, keeps its dispatcher; undici 8 (Node 26) uses another one. */
export const dispatcherName = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(process.versions.undici ?? '', 10) >= 8 ? 2 : 1}`,
);

/** Passes each request to this process's dispatcher, a proxy included, with its timeouts turned off. */
const patient: Pick<Dispatcher, 'dispatch'> = {
  dispatch(options, handler) {
    const dispatcher = shared[dispatcherName];
    if (!dispatcher)
      throw new Error(`Expected Node's fetch to have a dispatcher as ${String(dispatcherName)}, found none.`);
    return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};

/**
 * Node's `fetch` without its limit of five minutes in which no byte arrives, since a model may think for longer: a provider has its own limit
 * (`idleMs`), and ends the request by its signal.
 */
export const patientFetch: typeof fetch = (input, init) => fetch(input, { ...init, dispatcher: patient as Dispatcher });
