import { isNativeError } from 'node:util/types';

/**
 * Executes programs of a user, TypeScript included, and returns what each exports by default; undefined if nothing. What several of them import is
 * executed once, and anew with the next call. `modules` are what they import under these names, wherever the files lie.
 * @throws {Error} `Could not load <path>: ...`, made by `fail`.
 */
export async function loadPrograms(
  paths: readonly string[],
  modules: Record<string, object>,
  fail: (message: string, cause: unknown) => Error,
): Promise<unknown[]> {
  const [first] = paths;
  if (first === undefined) return [];
  const { createJiti } = await import('jiti');
  const jiti = createJiti(first, { fsCache: false, moduleCache: true, interopDefault: false, virtualModules: modules });
  const { cache } = jiti; // that of the process
  const before = new Set(Object.keys(cache));
  const loaded: unknown[] = [];
  try {
    for (const path of paths) {
      try {
        loaded.push((await jiti.import<{ default?: unknown }>(path)).default);
      } catch (error) {
        const message = isNativeError(error) ? error.message : String(error);
        throw fail(`Could not load ${path}: ${message}`, error);
      }
    }
    return loaded;
  } finally {
    for (const path of Object.keys(cache)) if (!before.has(path)) delete cache[path]; // so that the next call picks up changes
  }
}
