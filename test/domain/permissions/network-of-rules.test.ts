import { expect, test } from '@jest/globals';
import type { NetworkPolicy } from '../../../domain/network/network-policy.ts';
import { decide } from '../../../domain/permissions/decide.ts';
import { networkOf } from '../../../domain/permissions/network-of-rules.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';

test.each<[policy: NetworkPolicy, allow: string[], expected: NetworkPolicy]>([
  ['packages', [], 'packages'],
  ['packages', ['Network(api.example.com)'], ['packages', 'api.example.com']],
  ['none', ['Network(*.Example.com)'], ['*.example.com']],
  [['a.example'], ['Network(a.example)', 'Network(b.example:8443)'], ['a.example', 'b.example:8443']],
  ['all', ['Network(a.example)'], 'all'],
  ['none', ['Network(*)'], 'all'],
])('what a rule allows is added to the policy %j', (policy, allow, expected) => {
  expect(networkOf(policy, parseRules({ allow }, 'project'))).toEqual({ policy: expected, refused: [] });
});

test('what rules deny or ask for is refused, with the rule as the reason', () => {
  const rules = parseRules({ deny: ['Network(evil.example)'], ask: ['Network(new.example)'] }, 'settings');
  expect(networkOf('all', rules).refused).toEqual([
    { hosts: 'evil.example', why: '`deny Network(evil.example)` of the settings' },
    { hosts: 'new.example', why: expect.stringContaining('a person has to allow the host by a rule') },
  ]);
});

test('a rule that allows what no policy can name is refused when it is written', () => {
  expect(() => parseRules({ allow: ['Network(localhost)'] }, 'project')).toThrow(
    'it cannot be added to a network policy',
  );
});

test.each([
  ['Network(denied.example)', 'denied.example..'],
  ['Network(denied.example.)', 'denied.example'],
  ['Network(2606:4700::1)', '[2606:4700:0::1]'],
  ['Network([2606:4700:0::1]:443)', '[2606:4700::1]:443'],
  ['Network(1.2.3.4)', '0x01020304'],
  ['Network(1.2.3.4)', '[::ffff:1.2.3.4]'],
])('`deny %s` is not got round by %s', (rule, host) => {
  const rules = parseRules({ deny: [rule] }, 'settings');
  expect(decide(rules, { kind: 'Network', subject: host }).rule?.text).toBe(rule);
});
