/** Characters of a token, on average; English prose has four. */
const charactersOfToken = 4;

/** The first of the texts' owners that fit into so many tokens together; one that is too long is passed over for shorter ones after it. */
export function fitTokens<Owner extends { text: string }>(owners: readonly Owner[], tokens: number): Owner[] {
  let left = tokens * charactersOfToken;
  return owners.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}
