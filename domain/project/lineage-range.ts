/** Up to where another lineage sees this one. */
export interface LineageRange {
  lineageId: string;
  upToSequence: number;
}

/** Greater than any sequence number: a lineage sees all of its own rows. */
export const everything = Number.MAX_SAFE_INTEGER;

/** Whether all of the lineage is seen. */
export function isWhole({ upToSequence }: LineageRange): boolean {
  return upToSequence >= everything;
}
