import { expect, test } from '@jest/globals';
import { describeNetwork } from '../../../domain/network/describe-network.ts';

test('agents are told what they reach, how, and what happens to the rest', () => {
  expect(describeNetwork({ policy: 'none', refused: [] })).toBe('There is no network.');
  expect(describeNetwork({ policy: 'all', refused: [] })).toMatch(/public internet .*HTTP_PROXY/);
  expect(describeNetwork({ policy: 'packages', refused: [] })).toMatch(
    /Only these hosts .*: the package registries \(npm, PyPI, .*status 403/,
  );
  expect(describeNetwork({ policy: ['packages', 'api.example.com'], refused: [] })).toMatch(
    /Alpine\), api\.example\.com\. /,
  );
  const refused = [{ hosts: 'evil.example', why: '`deny Network(evil.example)` of the project' }];
  expect(describeNetwork({ policy: 'all', refused })).toMatch(
    / Not evil\.example: `deny Network\(evil\.example\)` of /,
  );
});
