import { type Call, type Effect, effects, type Match, type Rule, type Subject } from './rule.ts';
import { type JudgedSubject, subjectsOf } from './subjects.ts';

/** What rules say about one piece of a call. */
export interface Verdict {
  effect: Effect;
  /** The piece, such as one command of a line: `Run(rm -rf /)`. */
  part: string;
  /** The rule that decides; absent where none does, so that the default of the kind counts. */
  rule?: Rule;
  /** Why the rule may apply, where that is not sure. */
  uncertain?: string;
}

/** What rules say about a call: the strictest verdict on its pieces decides. */
export interface Decision extends Verdict {
  verdicts: Verdict[];
}

/** Decides a call. A person's rules come before default ones, and in each of both deny before ask before allow. */
export function decide(rules: readonly Rule[], call: Call): Decision {
  const verdicts = needsPieces(rules, call)
    ? subjectsOf(call).map((judged) => judge(rules, judged))
    : [{ effect: 'allow' as const, part: describeCall(call) }];
  const [strictest] = effects.flatMap((effect) => verdicts.filter((verdict) => verdict.effect === effect));
  return { ...(strictest ?? { effect: 'allow', part: describeCall(call) }), verdicts };
}

export function describeCall({ kind, subject }: Call): string {
  return `${kind}(${subject})`;
}

/** A line is taken apart only for rules on what it can have. */
function needsPieces(rules: readonly Rule[], { kind }: Call): boolean {
  return kind !== 'Run' || rules.some((rule) => ofLines.has(rule.kind));
}

const ofLines: ReadonlySet<Call['kind']> = new Set(['Run', 'Write', 'Read']);

function judge(rules: readonly Rule[], { subject, opaque }: JudgedSubject): Verdict {
  const part = opaque
    ? 'a part that cannot be read'
    : describeCall({ kind: subject.kind, subject: subject.forms[0].text });
  const ofKind = rules.filter(({ kind }) => kind === subject.kind);
  const own = ofKind.filter(({ origin }) => origin !== 'default');
  const byDefault = ofKind.filter(({ origin }) => origin === 'default');
  const found = findRule(own, subject) ?? findRule(byDefault, subject);
  if (!found) return { effect: defaultEffects[subject.kind] ?? 'allow', part };
  const { rule, match } = found;
  if (match === 'yes') return { effect: rule.effect, part, rule };
  return { effect: 'ask', part, rule, uncertain: opaque ?? 'it has parts that are only known when it runs' };
}

/** The rule that decides on a piece: deny, then ask and what may be denied, then allow. */
function findRule(rules: readonly Rule[], subject: Subject): { rule: Rule; match: Match } | undefined {
  const matching = rules.map((rule) => ({ rule, match: rule.matches(subject) }));
  const find = (effect: Effect, match: Match) =>
    matching.find((one) => one.rule.effect === effect && one.match === match);
  return (
    find('deny', 'yes') ??
    find('ask', 'yes') ??
    find('deny', 'possibly') ??
    find('ask', 'possibly') ??
    find('allow', 'yes')
  );
}

/** Where no rule decides, everything is allowed but this. */
const defaultEffects: { [Kind in Subject['kind']]?: Effect } = { Network: 'deny' };
