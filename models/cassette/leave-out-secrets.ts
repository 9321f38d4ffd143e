/** Headers that are kept; all others are left out, so that none with a key, cookie or organisation is forgotten. */
const keptHeaders =
  /^(content-type|anthropic-version|anthropic-beta|x-longhaul-.*|(x-)?request-id|retry-after(-ms)?|x-should-retry)$/;

/** Headers whose values are looked for in bodies too. */
const secretHeaders = ['authorization', 'x-api-key', 'api-key', 'cookie', 'openai-organization', 'openai-project'];

/** Characters that a secret has at least: what is shorter, such as the `none` of a local server, occurs in any text. */
const shortestSecret = 8;

/** Keys of providers and gateways whoever they belong to, and OpenAI's names of organisations, which its errors tell. */
const looksSecret = /\b(sk-|gsk_|xai-|AIza|hf_|org-|proj_)[A-Za-z0-9_-]{12,}/g;

const secretParameter = /([?&][^=&]*(?:key|token|secret|signature)[^=&]*=)[^&]*/gi;

/** The headers that a cassette keeps. */
export function keepHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => keptHeaders.test(name)));
}

/** Values of headers that must not occur in bodies either. */
export function secretsOf(headers: Headers): string[] {
  return secretHeaders.flatMap((name) => headers.get(name)?.replace(/^\w+ /, '') ?? []);
}

/** The text with every secret as so many asterisks, so that the pieces of a stream stay as long as they were. */
export function leaveOutSecrets(text: string, secrets: readonly string[]): string {
  const asterisks = (secret: string) => '*'.repeat(secret.length);
  return secrets
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((left, secret) => left.replaceAll(secret, asterisks), text)
    .replace(looksSecret, asterisks);
}

/** The pieces of one text without its secrets, those included that lie across two pieces. */
export function leaveOutOfPieces(pieces: readonly string[], secrets: readonly string[]): string[] {
  const clean = leaveOutSecrets(pieces.join(''), secrets);
  let begin = 0;
  return pieces.map((piece) => {
    const end = begin + piece.length;
    const part = clean.slice(begin, end);
    begin = end;
    return part;
  });
}

/** The path and query of an address without secrets; who serves it is left out. */
export function cleanPath(address: URL, secrets: readonly string[]): string {
  return leaveOutSecrets(`${address.pathname}${address.search.replace(secretParameter, '$1***')}`, secrets);
}
