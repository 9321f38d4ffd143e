import { defaultRules } from './default-rules.ts';
import { parseRules } from './parse-rules.ts';
import type { Rule, RuleTexts } from './rule.ts';

/** All rules that count in a project: those of the settings, its own, and the default ones. */
export function rulesInForce(ofSettings: readonly Rule[], ofProject: RuleTexts = {}): Rule[] {
  return [...ofSettings, ...parseRules(ofProject, 'project'), ...defaultRules];
}
