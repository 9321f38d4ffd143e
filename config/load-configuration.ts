import { type Configuration, readConfiguration } from './configuration.ts';
import { findConfigFile } from './find-config-file.ts';
import { loadConfigFile } from './load-config-file.ts';

/** Loads the settings on demand: `longhaul.config.ts` is a program, which commands that do not need it should not run. */
export type ReadSettings = () => Promise<Configuration>;

/**
 * Reads the configuration from the environment and, if there is one, the config file.
 * @throws {ConfigurationError}
 */
export async function loadConfiguration(environment: Record<string, string | undefined>): Promise<Configuration> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  return path === undefined
    ? readConfiguration(environment)
    : readConfiguration(environment, await loadConfigFile(path));
}
