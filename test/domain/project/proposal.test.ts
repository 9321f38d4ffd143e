import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { checkProposal } from '../../../domain/project/proposal.ts';

const feature = {
  name: 'greet',
  description: 'Greets.',
  category: 'functional',
  priority: 5,
  dependencies: [] as string[],
  verification: { steps: [{ description: 'It greets.', command: './greet' }] as object[], files: [] as object[] },
};
const proposal = { summary: 'A greeter.', setup_script: 'true', smoke_check: 'true', features: [feature] };

function complaintsOf(changes: object): string[] {
  const check = checkProposal({ ...proposal, ...changes });
  return 'complaints' in check ? check.complaints : [];
}

test('a valid proposal is accepted', () => {
  expect(complaintsOf({})).toEqual([]);
});

test('two features with one name are refused by that name', () => {
  expect(complaintsOf({ features: [feature, feature] })).toContain(
    'features: names must be unique; "greet" is used more than once',
  );
});

test('a dependency that does not exist is refused', () => {
  expect(complaintsOf({ features: [{ ...feature, dependencies: ['shout'] }] })).toEqual([
    'feature "greet" depends on "shout", which is not among the features',
  ]);
});

test('a dependency named twice counts once', () => {
  const check = checkProposal({
    ...proposal,
    features: [feature, { ...feature, name: 'shout', dependencies: ['greet', 'greet'] }],
  });
  expect('proposal' in check && check.proposal.features[1]?.dependencies).toEqual(['greet']);
});

test('a dependency cycle is shown whole', () => {
  const features = [
    { ...feature, name: 'a', dependencies: ['b'] },
    { ...feature, name: 'b', dependencies: ['c'] },
    { ...feature, name: 'c', dependencies: ['a'] },
  ];
  expect(complaintsOf({ features })).toEqual(['features: the dependencies form a cycle: a -> b -> c -> a']);
});

test('a feature without an executable verification step is refused', () => {
  const verification = { steps: [{ description: 'Looks right.' }], files: [] };
  expect(complaintsOf({ features: [{ ...feature, verification }] })).toEqual([
    'feature "greet" has no verification step with a command; at least one step needs a command',
  ]);
});

test('a file outside the repository is refused', () => {
  for (const path of ['/etc/passwd', '../x', 'a/../../x', '.git/hooks/pre-commit']) {
    expect(complaintsOf({ files: [{ path, content: '' }] }).join()).toContain('expected a path inside the repository');
  }
});

test('init.sh among the files is refused, since the set-up script makes it', () => {
  expect(complaintsOf({ files: [{ path: 'init.sh', content: '' }] }).join()).toContain(
    'init.sh comes from setup_script',
  );
});

test('one path with two contents is refused', () => {
  const files = [
    { path: 'a', content: '1' },
    { path: 'a', content: '2' },
  ];
  expect(complaintsOf({ files })).toEqual(['files: "a" is given twice with different content']);
});

test('a file and a folder with the same name are refused', () => {
  const files = ['a', 'b', 'b/c/d', 'init.sh/e'].map((path) => ({ path, content: '' }));
  expect(complaintsOf({ files })).toEqual([
    'files: "b" is a file, so "b/c/d" cannot be in a folder of that name',
    'files: "init.sh" is a file, so "init.sh/e" cannot be in a folder of that name',
  ]);
});

test('anything but a proposal is answered with what was expected', () => {
  const check = checkProposal('features');
  expect('complaints' in check && check.complaints[0]).toMatch(/the proposal: .*expected object/);
});

test('the features.json in docs/projects.md is accepted', () => {
  const page = readFileSync(join(packageRoot(), 'docs', 'projects.md'), 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(checkProposal(JSON.parse(example))).toHaveProperty('proposal');
});
