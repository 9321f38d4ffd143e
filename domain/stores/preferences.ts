import type { Json } from './json.ts';
import type { Owner, Purgeable } from './purge.ts';
import { expectId, splitKey } from './scope.ts';

/** Whose a preference is. */
export type PreferenceOwner = 'everyone' | { person: string } | { project: string };

/** How people and projects want things to be. */
export interface PreferenceStore extends Purgeable {
  /** Undefined if this owner has none; see `resolve` for the one that applies. */
  get(owner: PreferenceOwner, key: string): Promise<Json | undefined>;
  /** @throws {StoreError} `NotJson`, or `InvalidInput` for a key that is empty or has more than 500 characters. */
  set(owner: PreferenceOwner, key: string, value: Json): Promise<void>;
  /** False if there was none. */
  delete(owner: PreferenceOwner, key: string): Promise<boolean>;
  /** Those of one owner. */
  all(owner: PreferenceOwner): Promise<Record<string, Json>>;
  /** Those that apply: a project's go before a person's, and these before everyone's. */
  resolve(of: { person?: string | undefined; project?: string | undefined }): Promise<Record<string, Json>>;
}

/** An owner as one text, equal for equal owners. */
export function ownerKey(owner: PreferenceOwner): string {
  if (owner === 'everyone') return owner;
  return 'person' in owner ? `person:${expectId(owner.person)}` : `project:${expectId(owner.project)}`;
}

/** The inverse of `ownerKey`. */
export function ownerOf(key: string): PreferenceOwner {
  const [kind, id] = splitKey(key);
  if (kind === 'person') return { person: id };
  return kind === 'project' ? { project: id } : 'everyone';
}

/** The keys of the owners whose preferences apply, the least specific first. */
export function ownersOf({
  person,
  project,
}: {
  person?: string | undefined;
  project?: string | undefined;
}): PreferenceOwner[] {
  const owners: PreferenceOwner[] = ['everyone'];
  if (person !== undefined) owners.push({ person });
  if (project !== undefined) owners.push({ project });
  return owners;
}

/** The owner of preferences that a purge or an export is about. */
export function withoutSessions(owner: Owner): Exclude<PreferenceOwner, 'everyone'> {
  return 'person' in owner ? { person: owner.person } : { project: owner.project };
}
