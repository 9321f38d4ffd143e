/** Keys and tokens by the forms that their makers gave them to be recognised by, and private keys. */
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
  ['a JSON web token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]+:[^\s:@/]{3,}@/i],
  [
    'a password or key that is named as one',
    /\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)\b["']?\s*[:=]\s*["']?(?=[^\s"']*\d)[^\s"',;]{8,}/i,
  ],
];

/** What secret a text seems to hold, in words that do not repeat it; undefined where none. */
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

/** Thrown when a memory is to be written that holds a secret; memories are shown to models and people. */
export class SecretInMemoryError extends Error {
  override name = 'SecretInMemoryError';
  constructor(id: string, secret: string) {
    super(
      `The memory "${id}" seems to hold ${secret} and is not kept. Write it without, and name where the secret is stored instead.`,
    );
  }
}
