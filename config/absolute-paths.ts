import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Settings that name a file or a folder. */
const paths = [
  'LONGHAUL_HOME',
  'LONGHAUL_CONFIG',
  'LONGHAUL_SCRIPT',
  'LANCEDB_URI',
  'EMBEDDING_MODEL_PATH',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
];
/** Those that take a word too, which is then no path: `1`, or a program in PATH. */
const pathsOrWords = ['LONGHAUL_RECORD', 'TEMPORAL_CLI_PATH'];

/**
 * The variables with their paths made absolute: from this folder, `~/` from the home folder. Whoever reads them next may have another current
 * folder, as the stack in the background has.
 */
export function withAbsolutePaths<Variables extends Record<string, string | undefined>>(
  variables: Variables,
  folder = '.',
): Variables {
  const changed = [...paths, ...pathsOrWords].flatMap((name) => {
    const value = variables[name]?.trim();
    const isPath = value && !value.includes('://') && (value.includes('/') || paths.includes(name));
    return isPath ? [[name, absolute(value, folder)]] : [];
  });
  return { ...variables, ...Object.fromEntries(changed) };
}

function absolute(path: string, folder: string): string {
  return /^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
