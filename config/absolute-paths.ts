import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Variables whose value is a file or a folder. */
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
/** Variables that also take a word that is not a path, such as `1` or a program in PATH; a value with a slash is a path. */
const pathsOrWords = ['LONGHAUL_RECORD', 'TEMPORAL_CLI_PATH'];

/**
 * The variables with relative paths resolved against the folder (the current one by default) and `~/` against the home folder, because a
 * process that inherits them may have another current folder, as `longhaul up -d` has. URLs are left as they are.
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
