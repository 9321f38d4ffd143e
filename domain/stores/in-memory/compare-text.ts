/** Orders texts by their code points, as Postgres's collation "C" does. */
export function compareText(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  for (const [index, character] of one.entries()) {
    const beside = other[index];
    if (beside === undefined) return 1;
    if (character !== beside) return (character.codePointAt(0) ?? 0) - (beside.codePointAt(0) ?? 0);
  }
  return one.length - other.length;
}
