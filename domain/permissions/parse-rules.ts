import { ConfigurationError } from '../configuration-error.ts';
import { isHostEntry } from '../network/host-pattern.ts';
import { parsePattern } from './parse-pattern.ts';
import {
  type Call,
  type CallKind,
  callKinds,
  type Effect,
  effects,
  type Rule,
  type RuleOrigin,
  type RuleTexts,
} from './rule.ts';
import { parseDollars } from './subjects.ts';

/**
 * Parses the rules of one origin.
 * @throws {ConfigurationError} naming each rule that cannot be parsed or can never decide anything, and what to write instead.
 */
export function parseRules(texts: RuleTexts, origin: RuleOrigin): Rule[] {
  const written = effects.flatMap((effect) => (texts[effect] ?? []).map((text) => ({ effect, text })));
  const parsed = written.map(({ effect, text }) => parseRule(effect, text, origin));
  const rules = parsed.flatMap((one) => ('complaint' in one ? [] : [one]));
  const complaints = [...parsed.flatMap((one) => ('complaint' in one ? [one.complaint] : [])), ...findHidden(rules)];
  if (complaints.length) throw new ConfigurationError(`Rules cannot be used.\n${complaints.join('\n')}`);
  return rules;
}

/**
 * Parses a call as a person writes it, such as `Run(npm install)`.
 * @throws {ConfigurationError} saying what a call looks like.
 */
export function parseCall(text: string): Call {
  const parts = splitText(text);
  if (!parts?.inside.trim())
    throw new ConfigurationError(
      `Expected a call, such as Run(npm install) or Land(.envrc), got "${text}". ${kindsAre}`,
    );
  const { kind, inside } = parts;
  if (kind === 'Spend' && parseDollars(inside) === undefined)
    throw new ConfigurationError(`Expected an amount, such as Spend(7 USD), got "${text}".`);
  return { kind, subject: inside };
}

const kindsAre = `The kinds are ${callKinds.join(', ')}.`;

function parseRule(effect: Effect, text: string, origin: RuleOrigin): Rule | { complaint: string } {
  const parts = splitText(text);
  if (!parts)
    return { complaint: `  ${effect} ${text}: expected a kind and a pattern, such as Run(npm *). ${kindsAre}` };
  const pattern = parts.inside.trim();
  const matches = parsePattern(parts.kind, pattern);
  if (typeof matches !== 'function')
    return { complaint: `  ${effect} ${text}: it can never match. Expected ${matches.expected}.` };
  if (effect === 'allow' && parts.kind === 'Network' && pattern !== '*' && !isHostEntry(pattern.toLowerCase()))
    return {
      complaint: `  allow ${text}: it cannot be added to a network policy. Expected a host such as api.example.com, *.example.com or example.com:8443, or *.`,
    };
  return { effect, origin, kind: parts.kind, text, pattern, matches };
}

function splitText(text: string): { kind: CallKind; inside: string } | undefined {
  const [, name, inside = ''] = /^\s*(\w+)\(([\s\S]*)\)\s*$/.exec(text) ?? [];
  const kind = callKinds.find((one) => one === name);
  return kind && { kind, inside };
}

/** Rules that another one always precedes, since it says the same. */
function findHidden(rules: Rule[]): string[] {
  return rules.flatMap(({ effect, text }) => {
    const earlier = effects.slice(0, effects.indexOf(effect));
    const other = rules.find((one) => one.text.trim() === text.trim() && earlier.includes(one.effect));
    return other
      ? [`  ${effect} ${text}: it can never decide, since ${other.effect} ${other.text} comes first. Remove one.`]
      : [];
  });
}
