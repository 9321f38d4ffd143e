import type { MemoryChange, NewMemory } from '../memory.ts';
import { MemoryError } from '../memory-error.ts';

/** Endings of names of secrets, in prose, code and files of environment variables: "password", "clientSecret", "SERVICE_API_KEY". */
const names = [
  'password|passwd|passphrase|pwd|(?<=_)pass',
  'secret|credentials?|token',
  '(?:api|access|secret|private|encryption)[ _-]?key',
];

/** Not a secret: a value that only says where the secret comes from, or what type it is. */
const reference = String.raw`\$[{(]|process\.env|os\.environ|[a-z_][\w.]*\(\w*\)|Uint8Array`;

const named = new RegExp(
  String.raw`(?:${names.join('|')})\b["']?[ \t]*[:=][ \t]*["']?(?!${reference})(?=[^\s"']{0,64}\d)[^\s"',;]{8,}`,
  'i',
);

/** A character of a value that a sentence states. */
const character = String.raw`[^\s"'\`“”,;)]`;

/** Not a secret, though it has digits or signs: what a sentence says of a secret's nature, age, place or name. */
const description = [
  String.raw`(?:[a-z]+-)?[a-z]*\d{0,4}[a-z]?(?:-[a-z]+)+(?![\w-]|${character}{0,64}\d)`, // base64-encoded, 12-character
  String.raw`(?:base\d|md5|(?:sha|aes|rsa|oauth|rfc)-?\d|hmac|pbkdf2|argon2|ed25519|x\.?509|[hre]s256)`,
  String.raw`\d{4}-\d\d`, // a date
  String.raw`[a-z][a-z\d+.-]{0,30}:\/\/|[\w.+-]{1,64}@[\w-]+\.[a-z]`, // an address
  '[~/.%$#<]|(?:secrets?|vault|kv|src|config|settings|etc|env|process)[/:.]|1password', // a place
  String.raw`${character}{1,64}\.(?:pem|key|pub|p12|env|json|ya?ml|toml|ini|txt|[jt]s|py)\b|id_[a-z]+\d*\b`, // a file
  String.raw`\w{0,64}_(?:key|token|password|pass|pwd|secret|credentials?)(?:_?\d+)?\b`, // OPENAI_API_KEY_2
  String.raw`${character}{0,64}(?:\*\*\*|…|\.\.\.)`, // hidden or cut off
].join('|');

/** What may stand between the name of a secret and "is": "password for the database". */
const owner = String.raw`[ \t]+(?:for|of|to|on|in|at)[ \t](?:[^\n.;:]|\.(?=\S)){1,60}?`;

/** A secret in a sentence, such as "the password is ..."; its value has letters, and digits or signs among them. */
const stated = new RegExp(
  String.raw`(?:${names.join('|')})\b["'\`]?(?:${owner})?[ \t]+(?:is|was|are|were)(?:[ \t]+(?:now|still|currently|set to))?:?[ \t]+["'\`“]?` +
    `(?!${reference}|${description})(?=${character}{0,64}[a-z])` +
    String.raw`(?=${character}{0,64}(?:\d|[a-z][!@#$%^*?]+[a-z]))${character}{8,}`,
  'i',
);

/** A token as HTTP sends it. */
const sent = /\b(?:bearer|authorization["']?[:=]?[ \t]*["']?basic)[ \t]+(?=[\w.~+/-]{0,64}\d)[\w.~+/-]{16,}=*/i;

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
  ['a Slack token', /\b(?:xox[abeoprs]-|xapp-\d-)[\w-]{10,}/],
  ['a Groq key', /\bgsk_[A-Za-z0-9]{20,}/],
  ['an xAI key', /\bxai-[A-Za-z0-9]{20,}/],
  ['a PyPI token', /\bpypi-(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Z])[\w-]{32,}/],
  ['a SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{32,}/],
  ['a Vault token', /\bhv[bsr]\.[\w-]{20,}/],
  ['a Google access token', /\bya29\.[\w-]{20,}/],
  ['a Telegram token', /\b\d{8,10}:[\w-]{35}(?![\w-])/],
  ['a Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ['a JSON web token', /\beyJ(?:(?!-eyJ)[\w-]){10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/]+:[^\s:@/]{3,}@/i],
  ['a token in a header', sent],
  ['a password or key that is named as one', named],
  ['a password or key that is named as one', stated],
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

/**
 * A memory without text is accepted only if it has expired, so that it can be given an end.
 * @throws {MemoryError} `EmptyMemory`
 */
export function expectText({ text, expiresAt }: Pick<NewMemory, 'text' | 'expiresAt'>): void {
  if (text.trim() || (expiresAt && expiresAt <= new Date())) return;
  throw new MemoryError('EmptyMemory', 'Expected a memory with text, got an empty one. Nothing was written.');
}

/** @throws {MemoryError} `SecretInMemory` if the text or a tag holds one. */
export function expectNoSecret({ id, text = '', tags = [] }: { id: string } & MemoryChange): void {
  const secret = findSecret([text, ...tags].join('\n'));
  if (secret === undefined) return;
  throw new MemoryError(
    'SecretInMemory',
    `The memory "${id}" seems to contain ${secret} and was not stored. Write it without the secret, and name the place where the secret is stored.`,
  );
}
