import { removeSecrets } from './find-secrets.ts';

/** Shorter values, such as the `none` of a local server, occur in any text. */
const shortest = 8;

/**
 * The secrets that this process itself holds. They belong to the process, as its environment does, and not to a caller: a caller that forgot to pass
 * them would let them out.
 */
const held = new Set<string>();

/** From now on, `scrub` in this process also removes these values. What is short, a number, a path or only words, such as `scripted-model`, is no secret. */
export function holdSecrets(values: Iterable<string>): void {
  for (const value of values) {
    if (value.length >= shortest && !/^(?:[a-z]+(?:[-_ ][a-z]+)*|\d+|[~.]{0,2}\/.*)$/i.test(value)) {
      for (const form of encodings(value)) held.add(form);
    }
  }
}

/** A value as it is, and as programs commonly encode it, by itself or within a longer text. */
function encodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Characters that also hold bits of what stands before or after.
    const text = whole.slice(Math.ceil((offset * 8) / 6), (bytes.length + offset) % 3 === 0 ? undefined : -1);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), hex, hex.toUpperCase(), ...base64];
}

/** Variables and settings whose value is a secret. */
const secretName = /(?:key|token|secret|password|passwd|credentials?|headers)s?$/i;

/** The secrets among environment variables: by their name, and passwords within addresses. */
export function secretsOf(environment: Record<string, string | undefined>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => [
    ...(secretName.test(name) ? [value, ...value.split(/[\s,:=]+/)] : []),
    ...passwordsIn(value),
  ]);
}

/** As it is written, and as it is meant where it is percent-encoded. */
function passwordsIn(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i.exec(value)?.[1];
  if (password === undefined) return [];
  return URL.canParse(value) ? [password, decodeURIComponent(password)] : [password];
}

/**
 * The text without secrets: a mark says what was there. Everything that leaves the transcripts passes here: previews, events, recordings, reports, logs,
 * and what goes into workflow history.
 */
export function scrub(text: string, replace?: (name: string, secret: string) => string): string {
  return removeSecrets(withoutHeld(text, replace), replace);
}

function withoutHeld(text: string, replace = (name: string, _secret: string) => `[removed: ${name}]`): string {
  let rest = text;
  for (const secret of held) {
    if (rest.includes(secret)) rest = rest.replaceAll(secret, () => replace('a secret of this process', secret));
  }
  return rest;
}

/** A copy of plain data with every string in it scrubbed. */
export function scrubAll<Value>(value: Value): Value {
  if (typeof value === 'string') return scrub(value) as Value;
  if (Array.isArray(value)) return value.map(scrubAll) as Value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return value; // a date, a number
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, scrubAll(one)])) as Value;
}
