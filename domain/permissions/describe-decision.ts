import type { Decision, Verdict } from './decide.ts';
import { describeCall } from './decide.ts';
import type { Call, Rule } from './rule.ts';

/** What rules say about a call, and for each of its pieces which rule decides and why; one line each. */
export function describeDecision(call: Call, { effect, verdicts }: Decision): string {
  const lines = verdicts.map(
    (verdict) => `  ${verdict.effect.padEnd(5)}  ${verdict.part}: ${describeVerdict(verdict)}`,
  );
  return [`${describeCall(call)}: ${effect}`, ...new Set(lines)].join('\n');
}

/** Which rule decides, and why. */
export function describeVerdict({ effect, rule, part, uncertain }: Verdict): string {
  if (!rule)
    return part.startsWith('Network(') ? 'no rule; the network setting decides' : `no rule, so it is ${effect}ed`;
  const why = uncertain === undefined ? '' : `, which may apply since ${uncertain}`;
  return `${describeRule(rule)}${why}`;
}

/** A rule and whose it is, such as "`deny Run(rm *)` of the project". */
export function describeRule({ effect, text, origin }: Rule): string {
  const whose = { settings: 'of the settings', project: 'of the project', default: 'of the default rules' } as const;
  return `\`${effect} ${text}\` ${whose[origin]}`;
}
