import type { Memory } from '../memory.ts';
import { quote, quoteDate } from '../table/quote.ts';

type Staying = Pick<Memory, 'id' | 'createdAt' | 'expiresAt'>;
type Ending = Pick<Memory, 'expiresAt'>;

/** Whether one ends before the other; what has no end outlives everything. */
export function endsBefore(one: Ending, other: Ending): boolean {
  const ends = ({ expiresAt }: Ending) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return ends(one) < ends(other);
}

/** Of two memories that say the same, the one that lives longer stays, then the older one; a total order, so that never both give way. */
export function staysBefore(one: Staying, other: Staying): boolean {
  if (endsBefore(one, other) || endsBefore(other, one)) return endsBefore(other, one);
  if (+one.createdAt !== +other.createdAt) return one.createdAt < other.createdAt;
  return one.id < other.id;
}

/** The condition for the memories that stay before this one. */
export function toStayingCondition({ id, createdAt, expiresAt }: Staying): string {
  const created = quoteDate(createdAt);
  const isOlder = `(created_at < ${created} or (created_at = ${created} and id < ${quote(id)}))`;
  if (!expiresAt) return `(expires_at is null and ${isOlder})`;
  const end = quoteDate(expiresAt);
  return `(expires_at is null or expires_at > ${end} or (expires_at = ${end} and ${isOlder}))`;
}
