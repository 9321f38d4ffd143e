import { runInThisContext } from 'node:vm';

type Agent = new (options: { headersTimeout: number; bodyTimeout: number }) => object;

/** The symbol under which Node's `fetch`, which is undici's, keeps its dispatcher; undici 8 (Node 26) uses another one. */
const dispatcherName = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(process.versions.undici ?? '', 10) >= 8 ? 2 : 1}`,
);

/** Node's own global object, as tests (jest) have globals of their own. */
const realm = runInThisContext('globalThis') as Record<symbol, object>;

/** Makes Node's `fetch` give up after this many milliseconds without a byte, instead of five minutes, while `run` runs. */
export async function withImpatientNode(milliseconds: number, run: () => Promise<void>): Promise<void> {
  await fetch('data:,').then((response) => response.text()); // the dispatcher is created by the first request
  const usual = realm[dispatcherName];
  if (!usual) throw new Error("Expected Node's fetch to have a global dispatcher, found none.");
  realm[dispatcherName] = new (usual.constructor as Agent)({ headersTimeout: milliseconds, bodyTimeout: milliseconds });
  try {
    await run();
  } finally {
    realm[dispatcherName] = usual;
  }
}
