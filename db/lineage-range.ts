/** How far into a lineage another one sees. */
export interface LineageRange {
  lineageId: string;
  upToSequence: number;
}

/** Larger than any sequence number: a lineage takes all of its own rows. */
export const everything = Number.MAX_SAFE_INTEGER;

/** All of the lineage is seen. */
export function isWhole({ upToSequence }: LineageRange): boolean {
  return upToSequence >= everything;
}
