import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the compiled steps of set-up (setup/run-setup.ts); Ctrl-C interrupts them in an orderly way.
 * @param {{ envFile?: boolean, afresh?: boolean }} [options] `envFile: false` ignores the data folder's .env, since tests and measurements have
 * servers of their own; `afresh` retries a download even if it failed recently
 */
export async function setUp(root, reporter, { envFile = true, afresh = false } = {}) {
  const { readConfiguration } = await importBuilt(root, 'config/configuration.js');
  const { withEnvFile } = await importBuilt(root, 'config/environment.js');
  const { runSetup } = await importBuilt(root, 'setup/run-setup.js');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const environment = envFile ? withEnvFile(process.env) : process.env;
    const configuration = readConfiguration(environment);
    const result = await runSetup({ configuration, environment, reporter, signal: interruption.signal, afresh });
    return { configuration, result };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Imports a module by its path in dist/. */
export function importBuilt(root, path) {
  return import(pathToFileURL(join(root, 'dist', path)).href);
}
