import type { Identity } from './project-repository.ts';
import { resolveCommit } from './refs.ts';
import { type Git, spawnGit } from './run-git.ts';

/** Settings of the person's own that change which files and lines git sees and can't run anything. */
const harmless = ['core.excludesfile', 'core.autocrlf', 'core.eol', 'core.safecrlf'];

/** The person's own git configuration, read as data from their global and the repository's file. */
export async function readPersonSettings(
  folder: string,
  gitFolder: string,
  environment: Record<string, string>,
): Promise<{ identity: Partial<Identity>; settings: Record<string, string> }> {
  const { GIT_CONFIG_GLOBAL: _, ...withGlobal } = environment;
  const args = [`--git-dir=${gitFolder}`, 'config', '--null', '--list'];
  const result = await spawnGit(args, { folder, environment: { ...withGlobal, GIT_CONFIG_COUNT: '0' } });
  const values = new Map<string, string>();
  // A global file that git can't read is no reason to stop: without it the person is merely nameless.
  const entries = result.exitCode === 0 ? result.stdout.toString('utf8').split('\0') : [];
  for (const entry of entries) {
    const newline = entry.indexOf('\n');
    if (newline !== -1) values.set(entry.slice(0, newline), entry.slice(newline + 1));
  }
  const identity: Partial<Identity> = {};
  const [name, email] = [values.get('user.name')?.trim(), values.get('user.email')?.trim()];
  if (name) identity.name = name;
  if (email) identity.email = email;
  const settings: Record<string, string> = {};
  for (const key of harmless) {
    const value = values.get(key);
    if (value !== undefined) settings[key] = value;
  }
  return { identity, settings };
}

/** Who commits by hand here: as configured, else the last author who is not the harness, else nobody in particular. */
export async function findPerson(
  git: Git,
  branch: string,
  configured: Partial<Identity>,
  harness: Identity,
): Promise<Identity> {
  if (configured.name && configured.email) return { name: configured.name, email: configured.email };
  const head = await resolveCommit(git, `refs/heads/${branch}`);
  const authors = head === undefined ? [] : await git.fields(['log', '-z', '-n500', '--format=%an%x00%ae', head, '--']);
  for (let index = 0; index + 1 < authors.length; index += 2) {
    const [name = '', email = ''] = authors.slice(index, index + 2);
    if (email !== harness.email && name !== '' && email !== '') return { name, email };
  }
  return { name: configured.name ?? 'Project owner', email: configured.email ?? 'owner@localhost' };
}
