import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs the steps of set-up that are built already (setup/run-setup.ts); Ctrl-C interrupts them in order. */
export async function setUp(root, reporter) {
  const { readConfiguration } = await importBuilt(root, 'config/configuration.js');
  const { runSetup } = await importBuilt(root, 'setup/run-setup.js');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const configuration = readConfiguration(process.env);
    const result = await runSetup({ configuration, environment: process.env, reporter, signal: interruption.signal });
    return { configuration, result };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Imports a module of dist/ by its path there. */
export function importBuilt(root, path) {
  return import(pathToFileURL(join(root, 'dist', path)).href);
}
