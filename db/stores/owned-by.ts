import { eq, inArray, or, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Owner } from '../../domain/stores/purge.ts';

interface OwnedColumns {
  person: AnyPgColumn;
  projectId: AnyPgColumn;
  conversationId: AnyPgColumn;
}

/** Condition: the row is about the owner, or about one of its conversations. */
export function ownedBy({ person, projectId, conversationId }: OwnedColumns, owner: Owner): SQL | undefined {
  const own = 'person' in owner ? eq(person, owner.person) : eq(projectId, owner.project);
  return owner.sessions?.length ? or(own, inArray(conversationId, owner.sessions)) : own;
}
