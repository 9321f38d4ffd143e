import type { Longhaul } from '../../client/longhaul.ts';
import { DatabaseError } from '../../db/database-error.ts';
import type { Owner } from '../../domain/stores/purge.ts';

export interface OwnerOptions {
  person?: string;
  project?: string;
}

/** Whom the options name; undefined if they name nobody. */
export async function findOwner(longhaul: Longhaul, { person, project }: OwnerOptions): Promise<Owner | undefined> {
  if (person !== undefined) return { person };
  return project === undefined ? undefined : { project: await projectId(longhaul, project) };
}

/** A project that Longhaul does not know may be one of the user's own programs. */
async function projectId(longhaul: Longhaul, reference: string): Promise<string> {
  try {
    return (await longhaul.project(reference)).id;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'UnknownProject') return reference;
    throw error;
  }
}
