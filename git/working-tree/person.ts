import type { ConfigEntry } from '../process/read-config.ts';
import type { Git } from '../process/run-git.ts';
import type { Identity } from '../repository/project-repository.ts';
import { resolveCommit } from '../tree/refs.ts';

/** Personal settings that affect which files and lines git sees but can't run anything. */
const harmless = ['core.excludesfile', 'core.autocrlf', 'core.eol', 'core.safecrlf'];

/** The person's identity and harmless settings from their global git configuration and the repository's. */
export function personSettingsOf(entries: ConfigEntry[]): {
  identity: Partial<Identity>;
  settings: Record<string, string>;
} {
  const values = new Map(entries.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])));
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

/** Who commits by hand here: as configured, else the last author who is not the harness, else a placeholder. */
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
