/** Up to where another lineage sees this one. */
export interface LineageRange {
  lineageId: string;
  upToSequence: number;
}

/** Greater than any sequence number: a lineage sees all of its own rows. */
export const everything = Number.MAX_SAFE_INTEGER;

/** What a new lineage sees that continues another one up to a sequence number: all of itself, and of that one's ancestors what it saw until then. */
export function continueRanges(inherited: LineageRange[], id: string, upToSequence: number): LineageRange[] {
  return [
    { lineageId: id, upToSequence: everything },
    ...inherited.map((range) => ({ ...range, upToSequence: Math.min(range.upToSequence, upToSequence) })),
  ];
}

/** Whether all of the lineage is seen. */
export function isWhole({ upToSequence }: LineageRange): boolean {
  return upToSequence >= everything;
}
