import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

type Environment = Record<string, string | undefined>;

/** The `.env` file of the data folder. Never the current folder's, which may belong to a project, where agents write. */
export function envFilePath(environment: Environment): string {
  return join(resolve(environment.LONGHAUL_HOME?.trim() || join(homedir(), '.longhaul')), '.env');
}

/** The environment, plus those variables of `.env` that it does not set. */
export function withEnvFile(environment: Environment): Environment {
  const path = envFilePath(environment);
  if (!existsSync(path)) return environment;
  const { LONGHAUL_HOME: _, ...variables } = parseEnv(readFileSync(path, 'utf8'));
  const missing = Object.entries(variables).filter(([name, value]) => value !== '' && !environment[name]);
  return missing.length ? { ...environment, ...Object.fromEntries(missing) } : environment;
}
