import { isNativeError } from 'node:util/types';

/**
 * Executes a program of a user, TypeScript included, and returns what it exports by default; undefined if nothing. `modules` are what it imports under
 * these names, wherever the file lies.
 * @throws {Error} `Could not load <path>: ...`, made by `fail`.
 */
export async function loadProgram(
  path: string,
  modules: Record<string, object>,
  fail: (message: string, cause: unknown) => Error,
): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(path, {
    fsCache: false,
    moduleCache: false, // so that reloading picks up changes
    interopDefault: false,
    virtualModules: modules,
  });
  try {
    return (await jiti.import<{ default?: unknown }>(path)).default;
  } catch (error) {
    const message = isNativeError(error) ? error.message : String(error);
    throw fail(`Could not load ${path}: ${message}`, error);
  }
}
