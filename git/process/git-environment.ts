import type { Identity } from '../repository/project-repository.ts';

/** What git gets of the caller's environment: no GIT_*, SSH_* or EDITOR, which could make it run programs. */
const inherited = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'];

/** Settings enforced for every command, whatever a repository's own configuration says. */
const hardening: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.splitIndex': 'false',
  'core.attributesFile': '/dev/null',
  'core.pager': 'cat',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'diff.external': '',
  'commit.gpgSign': 'false',
  'log.showSignature': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'i18n.commitEncoding': 'utf-8',
  'i18n.logOutputEncoding': 'utf-8',
  'trailer.separators': ':',
  'color.ui': 'false',
};

/** The environment of a git command on a hostile repository: no configuration but the repository's own, no prompt, no network. */
export function gitEnvironment(
  environment: NodeJS.ProcessEnv,
  identity: Identity,
  folder: string,
): Record<string, string> {
  return {
    ...inheritedVariables(environment),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // Set but empty: no transport at all, not even to fetch a missing object from a remote.
    GIT_ALLOW_PROTOCOL: '',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    ...configVariables({ ...hardening, 'safe.directory': folder }),
  };
}

/** The part of the caller's environment that git needs in order to be found and to find its configuration and temporary folder. */
export function inheritedVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of inherited) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Adds settings to an environment as variables, because `-c` can't carry a key that contains "=", as a repository's may. */
export function configVariables(settings: Record<string, string>, base: Record<string, string> = {}) {
  const variables: Record<string, string> = { ...base };
  let count = Number(base.GIT_CONFIG_COUNT ?? 0);
  for (const [key, value] of Object.entries(settings)) {
    variables[`GIT_CONFIG_KEY_${count}`] = key;
    variables[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  variables.GIT_CONFIG_COUNT = String(count);
  return variables;
}
