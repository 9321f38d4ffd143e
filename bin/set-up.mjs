import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the compiled steps of set-up (setup/run-setup.ts); Ctrl-C interrupts them in an orderly way.
 * @param {{ envFile?: boolean, afresh?: boolean, forTests?: boolean }} [options] `envFile: false` ignores the data folder's .env, since tests and measurements have
 * servers of their own; `afresh` retries a download even if it failed recently; `forTests` also finds what only tests use
 */
export async function setUp(root, reporter, { envFile = true, afresh = false, forTests = false } = {}) {
  const { readConfiguration } = await importBuilt(root, 'config/configuration.js');
  const { withEnvFile } = await importBuilt(root, 'config/environment.js');
  const { runSetup } = await importBuilt(root, 'setup/run-setup.js');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const environment = envFile ? withEnvFile(process.env) : process.env;
    const configuration = readConfiguration(environment);
    const context = { configuration, environment, reporter, signal: interruption.signal, afresh };
    const result = await runSetup(context);
    return { configuration, result, ...(forTests && { testServer: await setUpTests(root, context) }) };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Finds what only tests use; returns the program of a Temporal server that skips time. */
async function setUpTests(root, context) {
  const { performStep } = await importBuilt(root, 'setup/setup-step.js');
  const { testServerStep } = await importBuilt(root, 'setup/steps/test-server.js');
  const { redisStep } = await importBuilt(root, 'setup/steps/redis.js');
  await performStep(redisStep, context);
  return performStep(testServerStep, context);
}

/** Imports a module by its path in dist/. */
export function importBuilt(root, path) {
  return import(pathToFileURL(join(root, 'dist', path)).href);
}
