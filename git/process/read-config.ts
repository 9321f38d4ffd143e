import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnGit } from './run-git.ts';

/** One configuration setting; keys are in lower case, except for the part between the dots, which git keeps as written. */
export interface ConfigEntry {
  scope: string;
  key: string;
  /** Undefined for a key without "=", which git treats as true. */
  value: string | undefined;
}

/** Where a repository is, and the environment in which git runs there. */
export interface ConfigLocation {
  folder: string;
  gitFolder: string;
  environment: Record<string, string>;
}

/** A repository's configuration. */
export interface OpenedConfig {
  /** The repository's own settings, along with the person's global ones if those can be read. */
  entries: ConfigEntry[];
  /** The present keys of the repository's own settings: a person, or a file that they include, may change them at any time. */
  localKeys(): Promise<string[]>;
}

/** Reads the configuration; listing it runs nothing. */
export async function openConfig(location: ConfigLocation): Promise<OpenedConfig> {
  const { GIT_CONFIG_GLOBAL: _, ...withGlobal } = location.environment;
  // A global file that git can't read is no reason to stop: without it, only the person's name is unknown.
  let version = await configVersion(location);
  const entries = (await listConfig(location, withGlobal)) ?? (await readLocalConfig(location));
  let keys = localEntries(entries).map(({ key }) => key);
  return {
    entries,
    async localKeys() {
      const present = await configVersion(location);
      const includes = keys.some((key) => /^include(if)?\./.test(key));
      if (includes || present === undefined || present !== version) {
        keys = localEntries(await readLocalConfig(location)).map(({ key }) => key);
        version = present;
      }
      return keys;
    },
  };
}

/** A text that changes with the configuration's files; undefined if they are elsewhere, as for a linked worktree. */
async function configVersion({ gitFolder }: ConfigLocation): Promise<string | undefined> {
  const files = await Promise.all(
    ['config', 'config.worktree'].map((name) => stat(join(gitFolder, name), { bigint: true }).catch(() => undefined)),
  );
  if (files[0] === undefined) return undefined;
  return files.map((file) => file && [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ')).join();
}

async function readLocalConfig(location: ConfigLocation): Promise<ConfigEntry[]> {
  const entries = await listConfig(location, location.environment);
  if (entries === undefined) throw new Error(`Expected git to list the configuration of ${location.folder}.`);
  return entries;
}

async function listConfig(
  { folder, gitFolder }: ConfigLocation,
  environment: Record<string, string>,
): Promise<ConfigEntry[] | undefined> {
  const args = [`--git-dir=${gitFolder}`, 'config', '--null', '--list', '--show-scope'];
  const result = await spawnGit(args, { folder, environment: { ...environment, GIT_CONFIG_COUNT: '0' } });
  if (result.exitCode !== 0) return undefined;
  const fields = result.stdout.toString('utf8').split('\0');
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => {
    const [scope = '', entry = ''] = fields.slice(2 * index);
    const newline = entry.indexOf('\n');
    return newline === -1
      ? { scope, key: entry, value: undefined }
      : { scope, key: entry.slice(0, newline), value: entry.slice(newline + 1) };
  });
}

/** The settings in the repository itself. */
export function localEntries(entries: ConfigEntry[]): ConfigEntry[] {
  return entries.filter(({ scope }) => scope === 'local' || scope === 'worktree');
}
