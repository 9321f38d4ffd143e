import { type Configuration, readConfiguration } from './configuration.ts';
import { findConfigFile } from './find-config-file.ts';
import { loadConfigFile } from './load-config-file.ts';

/** Reads the settings when they are needed: `longhaul.config.ts` is a program, which is not run for commands that do without it. */
export type ReadSettings = () => Promise<Configuration>;

/**
 * Reads the configuration from the environment and from the file of settings, where there is one.
 * @throws {ConfigurationError}
 */
export async function loadConfiguration(environment: Record<string, string | undefined>): Promise<Configuration> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  return path === undefined
    ? readConfiguration(environment)
    : readConfiguration(environment, await loadConfigFile(path));
}
