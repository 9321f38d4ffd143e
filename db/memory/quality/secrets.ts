import type { MemoryChange } from '../memory.ts';

/** Endings of names of secrets, in prose, code and files of environment variables: "password", "clientSecret", "SERVICE_API_KEY". */
const names = [
  'password|passwd|passphrase|pwd|(?<=_)pass',
  'secret|credentials?|token',
  '(?:api|access|secret|private|encryption)[_-]?key',
];

/** Not a secret: a value that only says where the secret comes from, or what type it is. */
const reference = String.raw`\$[{(]|process\.env|os\.environ|[a-z_][\w.]*\(\w*\)|Uint8Array`;

const named = new RegExp(
  String.raw`(?:${names.join('|')})\b["']?[ \t]*[:=][ \t]*["']?(?!${reference})(?=[^\s"']{0,64}\d)[^\s"',;]{8,}`,
  'i',
);

/**
 * Keys and tokens in the forms by which their issuers make them recognisable, and private keys. Whatever precedes a form's first fixed characters is
 * limited in length, or ends where the form may begin anew: otherwise the time for a long text would be quadratic.
 */
const forms: ReadonlyArray<[name: string, form: RegExp]> = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END[^-]*-----|$)/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/],
  ['an OpenAI key', /\bsk-(?!ant-)(?:proj-|svcacct-|admin-)?[\w-]{20,}/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Google API key', /\bAIza[\w-]{35}/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{10,}/],
  ['a Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ['a JSON web token', /\beyJ(?:(?!-eyJ)[\w-]){10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/]+:[^\s:@/]{3,}@/i],
  ['a password or key that is named as one', named],
];

/** What kind of secret a text seems to hold, without repeating it; undefined if none. */
export function findSecret(text: string): string | undefined {
  return forms.find(([, form]) => form.test(text))?.[0];
}

/** The text with every secret replaced by a mark. */
export function removeSecrets(text: string): string {
  return forms.reduce(
    (rest, [name, form]) => rest.replaceAll(new RegExp(form.source, `${form.flags}g`), `[removed: ${name}]`),
    text,
  );
}

/** Thrown for a memory that holds a secret, since memories are shown to models and people. */
export class SecretInMemoryError extends Error {
  override name = 'SecretInMemoryError';
  constructor(id: string, secret: string) {
    super(
      `The memory "${id}" seems to hold ${secret} and is not kept. Write it without, and name where the secret is stored instead.`,
    );
  }
}

/** @throws {SecretInMemoryError} if the text or a tag holds one. */
export function expectNoSecret({ id, text = '', tags = [] }: { id: string } & MemoryChange): void {
  const secret = findSecret([text, ...tags].join('\n'));
  if (secret !== undefined) throw new SecretInMemoryError(id, secret);
}
