import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { withAbsolutePaths } from './absolute-paths.ts';

type Environment = Record<string, string | undefined>;

/** The `.env` file of the data folder. Never the current folder's, which may belong to a project, where agents write. */
export function envFilePath(environment: Environment): string {
  return join(withAbsolutePaths(environment).LONGHAUL_HOME?.trim() || join(homedir(), '.longhaul'), '.env');
}

/** The variables of `.env`, with relative paths resolved against its folder; none where the file does not exist. */
export function readEnvFile(environment: Environment): Environment {
  const path = envFilePath(environment);
  return existsSync(path) ? withAbsolutePaths(parseEnv(readFileSync(path, 'utf8')), dirname(path)) : {};
}

/** The environment, with relative paths resolved against the folder, plus those variables of `.env` that it does not set. */
export function withEnvFile(environment: Environment, folder?: string): Environment {
  const own = withAbsolutePaths(environment, folder);
  const { LONGHAUL_HOME: _, ...variables } = readEnvFile(own);
  const missing = Object.entries(variables).filter(([name, value]) => value !== '' && !environment[name]);
  return { ...own, ...Object.fromEntries(missing) };
}
