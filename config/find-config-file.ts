import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.ts';

export const configFileNames = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `longhaul.config.${ending}`);

/**
 * The file of settings: the one that is named, else the one in the data folder; undefined where there is none. Never that of the current
 * folder: it may be a project's, which agents write, and nothing that an agent writes runs on the host.
 * @throws {ConfigurationError} where the one named is not there, or the data folder has two.
 */
export function findConfigFile({ home, named }: { home: string; named?: string | undefined }): string | undefined {
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new ConfigurationError(`Expected the file of settings that LONGHAUL_CONFIG names at ${named}, found none.`);
  }
  const found = configFileNames.map((name) => join(home, name)).filter((path) => existsSync(path));
  if (found.length < 2) return found[0];
  throw new ConfigurationError(`Expected one file of settings in ${home}, found ${found.length}: ${found.join(', ')}.`);
}
