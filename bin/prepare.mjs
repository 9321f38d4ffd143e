import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSources } from './build-sources.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { withPrepareLock } from './prepare-lock.mjs';
import { createReporter } from './progress.mjs';

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs the steps that precede any of Longhaul's own code: installing dependencies and building.
 * @param {{ until?: 'dependencies' | 'build' }} [options]
 */
export async function prepare(options = {}) {
  const reporter = createReporter();
  await withPrepareLock(root, reporter, async () => {
    await installDependencies(root, reporter);
    if (options.until !== 'dependencies') await buildSources(root, reporter);
  });
  return { root, reporter };
}
