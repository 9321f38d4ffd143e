import { expect, test } from '@jest/globals';
import { refusedPattern } from '../../../domain/network/network-access.ts';

test.each<[hosts: string, refused: string[], others: string[]]>([
  [
    'evil.example',
    ['evil.example:443', 'evil.example:1'],
    ['a.evil.example:443', 'evilaexample:443', 'evil.example.org:443'],
  ],
  ['*.evil.example', ['a.evil.example:443', 'a.b.evil.example:80'], ['evil.example:443', 'notevil.example:443']],
  ['Evil.example:443', ['evil.example:443'], ['evil.example:80']],
  ['*', ['evil.example:443', '[::1]:80'], []],
  ['10.0.0.1', ['10.0.0.1:80'], ['10.0.0.11:80']],
  ['2001:db8::1', ['[2001:db8::1]:443'], ['[2001:db8::2]:443']],
])('a rule on %s refuses just these hosts', (hosts, refused, others) => {
  const pattern = new RegExp(refusedPattern({ hosts }));
  expect([refused.filter((one) => !pattern.test(one)), others.filter((one) => pattern.test(one))]).toEqual([[], []]);
});
