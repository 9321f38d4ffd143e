import { scrub } from '../../domain/secrets/scrub.ts';

/** Headers that are kept; all others are left out, so that no key, cookie or organisation can be overlooked. */
const keptHeaders =
  /^(content-type|anthropic-version|anthropic-beta|x-longhaul-.*|(x-)?request-id|retry-after(-ms)?|x-should-retry)$/;

/** Headers whose values are removed from bodies too. */
const secretHeaders = ['authorization', 'x-api-key', 'api-key', 'cookie', 'openai-organization', 'openai-project'];

/** Minimum length of a secret: anything shorter, such as the `none` of a local server, occurs in any text. */
const shortestSecret = 8;

/** Shorter keys than `scrub` knows, and OpenAI's ids of organisations and projects, which its errors mention. */
const looksSecret = /\b(sk-|gsk_|xai-|AIza|hf_|org-|proj_)[A-Za-z0-9_-]{12,}/g;

const secretParameter = /([?&][^=&]*(?:key|token|secret|signature)[^=&]*=)[^&]*/gi;

/** The headers that a cassette keeps. */
export function keepHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => keptHeaders.test(name)));
}

/** The values of headers that must not occur in bodies either. */
export function secretsOf(headers: Headers): string[] {
  return secretHeaders.flatMap((name) => headers.get(name)?.replace(/^\w+ /, '') ?? []);
}

/** Replaces every secret by as many asterisks, so that the pieces of a stream keep their lengths. */
export function leaveOutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((left, secret) => left.replaceAll(secret, asterisks), text)
    .replace(looksSecret, asterisks);
  return scrub(known, (_name, secret) => asterisks(secret));
}

/** What a secret's name and value have between them stays, so that JSON stays JSON. */
function asterisks(secret: string): string {
  return secret.replace(/\\.|[^\s"':{}[\],]/g, (one) => (one.length > 1 ? one : '*'));
}

/** Removes secrets from the pieces of one text, including those that lie across two pieces. */
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

/** The path and query of an address without secrets; the server is left out. */
export function cleanPath(address: URL, secrets: readonly string[]): string {
  return leaveOutSecrets(`${address.pathname}${address.search.replace(secretParameter, '$1***')}`, secrets);
}
