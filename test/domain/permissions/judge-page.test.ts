import { expect, test } from '@jest/globals';
import type { NetworkPolicy } from '../../../domain/network/network-policy.ts';
import { judgePage } from '../../../domain/permissions/judge-page.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';
import { rulesInForce } from '../../../domain/permissions/rules-in-force.ts';

const judge = (url: string, rules: RuleTexts = {}, network: NetworkPolicy = 'packages') =>
  judgePage(rulesInForce(parseRules(rules, 'settings')), network, new URL(url)).effect;

test('a person is asked about a host that nothing names', () => {
  expect(judge('https://docs.python.org/3/')).toBe('ask');
  expect(judge('https://docs.python.org/3/', {}, 'none')).toBe('ask');
});

test('a rule decides on a host', () => {
  expect(judge('https://docs.python.org/3/', { allow: ['Network(docs.python.org)'] })).toBe('allow');
  expect(judge('https://docs.python.org/3/', { deny: ['Network(*.python.org)'] })).toBe('deny');
  expect(judge('https://docs.python.org./3/', { deny: ['Network(*.python.org)'] })).toBe('deny');
  expect(judge('https://docs.python.org/3/', { ask: ['Network(*)'] }, 'all')).toBe('ask');
});

test('what sandboxes reach is not asked for', () => {
  expect(judge('https://pypi.org/project/x')).toBe('allow');
  expect(judge('https://docs.python.org/', {}, 'all')).toBe('allow');
  expect(judge('https://docs.python.org/', {}, ['docs.python.org'])).toBe('allow');
  expect(judge('https://docs.python.org:8443/', {}, ['docs.python.org'])).toBe('ask');
});
