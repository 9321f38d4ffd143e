import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { createReporter } from './progress.mjs';

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The steps that come before any of Longhaul's own code can run: dependencies and build.
 * @param {{ until?: 'dependencies' | 'build' }} [options]
 */
export async function prepare(options = {}) {
  const reporter = createReporter();
  await installDependencies(root, reporter);
  if (options.until !== 'dependencies') await build(root, reporter);
  return { root, reporter };
}
