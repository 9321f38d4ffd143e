/** Average characters of a token in English prose. */
const charactersOfToken = 4;

/** The first owners whose texts fit into this many tokens together; one that is too long is skipped in favour of shorter ones after it. */
export function fitTokens<Owner extends { text: string }>(owners: readonly Owner[], tokens: number): Owner[] {
  let left = tokens * charactersOfToken;
  return owners.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}
