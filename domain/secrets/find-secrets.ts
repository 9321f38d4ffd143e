/** Endings of names of secrets, in prose, code and files of environment variables: "password", "clientSecret", "SERVICE_API_KEY". */
const names = [
  'password|passwd|passphrase|pwd|(?<=_)pass',
  'secret|credentials?|token',
  '(?:api|access|secret|private|encryption|account|payload|client)[ _-]?keys?(?:-data)?|(?<=_)auth',
];

/** Not a secret: a value that only says where the secret comes from, or what type it is. */
const reference = String.raw`\$[{(]|process\.env|os\.environ|[a-z_][\w.]*\(\w*\)|Uint8Array`;

const named = new RegExp(
  String.raw`(?:${names.join('|')})\b\\*["']?[ \t]*[:=][ \t]*\\*["']?(?!${reference})(?=[^\s"'\\]{0,64}\d)[^\s"',;\\]{8,}`,
  'i',
);

/** A character of a value that a sentence states. */
const character = String.raw`[^\s"'\`“”,;)\\]`;

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
const sent = /\b(?:bearer|authorization["']?[:=]?[ \t]*["']?basic)[ \t]+(?=[\w.~+/-]{0,64}\d)[\w.~+/-]{12,}=*/i;

/** A password that a program is given on its line. */
const option = new RegExp(
  String.raw`--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|token|secret|api-key)[ \t]+["']?(?!${reference})(?=[^\s"']{0,64}\d)[^\s"']{8,}`,
  'i',
);
const given = new RegExp(
  String.raw`\b(?:${[
    String.raw`curl\b[^\n]{0,200}? (?:-u|--user)[ \t=]?["']?(?!\$)[^\s:"']{1,64}:[^\s"']{4,}`,
    String.raw`sshpass[ \t]+-p[ \t]*\S+`,
    String.raw`mysql\w*\b[^\n]{0,200}? -p(?=\w{0,64}\d)\w{8,}`,
    String.raw`login[ \t]+\S{1,100}[ \t]+password[ \t]+\S+`,
  ].join('|')})`,
  'i',
);

/** Tokens whose service shows by how they begin. */
const ofService = new RegExp(
  String.raw`\b(?:(?:${[
    String.raw`dp\.(?:pt|st|ct|sa)\.|lin_api_|shp(?:at|ca|pa|ss)_|sq0(?:atp|csp)-|r8_|pplx-|gl(?:cbt|dt|rt|ft|oas|agent)-(?:\d+_)?`,
    String.raw`AT(?:ATT|BB|CTT)|glsa_|sntry[su]_|fig[dp]_|ntn_|sbp_|pscale_(?:tkn|pw)_|NRAK-|pat[A-Za-z0-9]{14}\.|[A-Za-z0-9]{14}\.atlasv1\.`,
  ].join('|')})(?=[\w=-]{0,64}\d)[\w=-]{20,}|(?:dapi|pul-|SK|key-)[0-9a-f]{32,}\b|AGE-SECRET-KEY-1[0-9A-Z]{50,})`,
);

/** An address that by itself lets in whoever knows it. */
const address =
  /\bhttps:\/\/(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]{20,}|[?&]sig=[\w%+/-]{20,}/i;

const cookie = /\b(?:set-)?cookie["']?[:=][ \t]*["']?[^\n"';=]{1,64}=(?=[^\s;"']{0,64}\d)[^\s;"']{16,}/i;

const hash = /\$(?:1|5|6|y|2[aby]|argon2id?)\$[^\s:"']{20,}/;

/** To its end or, where that was cut off, as far as it looks like a key; `\n` is a line break in JSON. */
const privateKey =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[\s\S])*-----END[^-]{0,60}-----|(?:[A-Za-z0-9+/=\s]|\\[nr])*)/;

/**
 * Keys and tokens in the forms by which their issuers make them recognisable, and private keys. Whatever precedes a form's first fixed characters is
 * limited in length, or ends where the form may begin anew: otherwise the time for a long text would be quadratic.
 */
const forms = (
  [
    ['a private key', privateKey],
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
    ['a password in an address', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/]*:[^\s:@/]{3,}@/i],
    ['a token of a service', ofService],
    ['an address with a key', address],
    ['a cookie', cookie],
    ['a hash of a password', hash],
    ['a login of Docker', /(?:(?<!\\)\\{1,16})?"auth\\*"\s*:\s*\\*"[A-Za-z0-9+/]{12,}={0,2}\\*"/],
    ['a token in a header', sent],
    ['a password or key that is named as one', named],
    ['a password or key that is named as one', stated],
    ['a password on a command line', option],
    ['a password on a command line', given],
  ] satisfies Array<[name: string, form: RegExp]>
).map(([name, form]) => [name, alsoInJson(form)] as const);

/** Also finds what follows a line break in JSON, whose `n` is a letter of the same word otherwise. */
function alsoInJson({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/^\\b/, String.raw`(?:\b|(?<=\\[nrt]))`), flags);
}

/** What kind of secret a text seems to hold, without repeating it; undefined if none. */
export function findSecret(text: string): string | undefined {
  return forms.find(([, form]) => form.test(text))?.[0];
}

/** The text with every secret replaced, by default by a mark that says what was there. */
export function removeSecrets(text: string, replace = (name: string, _secret: string) => `[removed: ${name}]`): string {
  return forms.reduce(
    (rest, [name, form]) =>
      rest.replaceAll(new RegExp(form.source, `${form.flags}g`), (secret) => replace(name, secret)),
    text,
  );
}
