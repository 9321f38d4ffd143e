import type { Owner } from './purge.ts';
import { StoreError } from './store-error.ts';

/** Whose an entry is: everyone's, a project's, or a session's (a conversation is one). */
export type Scope = 'global' | { project: string } | { session: string };

/** A scope as one text, equal for equal scopes. */
export function scopeKey(scope: Scope): string {
  if (scope === 'global') return scope;
  return 'project' in scope ? `project:${expectId(scope.project)}` : `session:${expectId(scope.session)}`;
}

/** The inverse of `scopeKey`. */
export function scopeOf(key: string): Scope {
  const [kind, id] = splitKey(key);
  if (kind === 'project') return { project: id };
  return kind === 'session' ? { session: id } : 'global';
}

/** What precedes the first colon of a key, and what follows it. */
export function splitKey(key: string): [kind: string, id: string] {
  const colon = key.indexOf(':');
  return colon < 0 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)];
}

/** @throws {StoreError} `InvalidInput` if an id is empty. */
export function expectId(id: string): string {
  if (id) return id;
  throw new StoreError('InvalidInput', 'Expected the id of a project, a session or a person, got an empty one.');
}

/** The keys of the scopes that are an owner's. */
export function scopesOf(owner: Owner): string[] {
  const sessions = (owner.sessions ?? []).map((session) => scopeKey({ session }));
  return 'project' in owner ? [scopeKey({ project: owner.project }), ...sessions] : sessions;
}
