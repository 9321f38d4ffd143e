import { expect, test } from '@jest/globals';
import { spoilShell } from '../../../../domain/project/spoil/spoil-shell.ts';

test('a script that its first failure ends, or that ends with a comparison, compares with something else', () => {
  expect(spoilShell('. ./sums.sh\n[ "$(add 2 3)" = 5 ]\n', 7)).toBe('. ./sums.sh\n[ "$(add 2 3)" = 57 ]\n');
  expect(spoilShell('set -eu\n[[ $(add 1 1) == "2" ]]  \ntest "$x" -eq 3\n[ -f a ] # [ a = b ]\n', 7)).toBe(
    'set -eu\n[[ $(add 1 1) == "2"7 ]]  \ntest "$x" -eq 37\n[ -f a ] # [ a = b ]\n',
  );
});

test('any other script ends with 1, wherever it ends', () => {
  expect(spoilShell('[ "$(add 2 3)" = 5 ] || exit 3\necho "exit 0"\nif ok; then exit; fi\nexit 0', 7)).toBe(
    '[ "$(add 2 3)" = 5 ] || exit 1\necho "exit 0"\nif ok; then exit 1; fi\nexit 1\nexit 1\n',
  );
  expect(spoilShell('[ a = b ]\necho well\n', 7)).toBe('[ a = b ]\necho well\n\nexit 1\n');
});

test('a script that another program takes over fails at once', () => {
  expect(spoilShell('exec python3 check.py\n', 7)).toBe('#!/bin/sh\nexit 1\n');
  expect(spoilShell('exec 2>&1\ntrue\n', 7)).toContain('true\n\nexit 1');
});
