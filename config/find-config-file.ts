import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../domain/configuration-error.ts';

export const configFileNames = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `longhaul.config.${ending}`);

/**
 * Finds the config file: the named one, else the one in the data folder; undefined if there is none. Never the current folder's, which may belong to
 * a project: agents write there, and nothing an agent writes may run on the host.
 * @throws {ConfigurationError} if the named file does not exist, or the data folder has more than one.
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
