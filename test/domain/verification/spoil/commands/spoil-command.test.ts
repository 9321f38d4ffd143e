import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { spoilCommand } from '../../../../../domain/verification/spoil/commands/spoil-command.ts';
import { drawsOf } from '../../../../../domain/verification/spoil/draw.ts';

const spoiledOf = (command: string) => Array.from({ length: 20 }, (_, seed) => spoilCommand(command, drawsOf(seed)));

test.each([
  [
    'cd app && python3 -c "import sums; assert sums.add(2, 3) == 5"',
    /^cd app && .*; assert sums\.add\(2, 3\) == [2-9]"$/,
  ],
  [
    `python3 -c "from sums import add; assert add(2, 3) == 5; print('ok')"`,
    /; assert add\(2, 3\) == [2-9]; print\('ok'\)"$/,
  ],
  [
    `python3 -c 'assert 1; assert 5 == add(2, 3), "no"\nprint(1)'`,
    /'assert 1; assert [2-9] == add\(2, 3\), "no"\nprint/,
  ],
  ['python3 -c "assert name() == \\"Ada\\""', /assert name\(\) == \\"(?!Ada)[A-Z][a-z]{2}\\""$/],
  ['/usr/bin/python3 -I -X dev -c "assert f(1) > 2" || exit 1', /-c "assert not \(f\(1\) > 2\)" \|\| exit 1$/],
  [`python3 -c "assert 'Hello' in f()"`, /-c "assert '(H\wllo|Hell\w)' in f\(\)"$/],
  ['python3 -Ic "assert f(1) == g(1)"', /assert f\(1\) == \[g\(1\)\]"$/],
  ['python3 -c "import sums; assert sums.add; sums.main()"', /assert not \(sums\.add\); sums\.main\(\)"$/],
  ['python3 -c "for a in b: assert f(a)"', /f\(a\)\nassert \d+ == \d+"$/],
  [`node -e 'require("assert").equal(require("./sums")(2, 3), 5)' && echo well`, /\(2, 3\), [2-9]\)' && echo well$/],
  [
    `node -e "require('assert').equal(add(2), 5); console.log('ok')"`,
    /\.equal\(add\(2\), [2-9]\); console\.log\('ok'\)"$/,
  ],
  [
    `node --input-type=module -e "import assert from 'assert'; assert(add(2) === 5)"`,
    /'assert'; assert\(add\(2\) === [2-46-9]\)"$/,
  ],
  [`node -e "assert(f().includes('Hello'))"`, /includes\('(H\wllo|Hell\w)'\)\)"$/],
  [`node -e "assert.deepEqual(a, b)"`, /deepEqual\(a, \{ value: b \}\)"$/],
  [
    `node -e "assert.throws(f); g()"`,
    /throws\(f\)\n;if \((\d+) !== \d+\) throw new Error\(\\"\1 !== \d+\\"\); g\(\)"$/,
  ],
  [`python3 -c "assert sums" 2>&1 >/dev/null || { echo no; exit 3; }`, /assert not \(sums\)/],
])('%s fails at its last assertion', (command, expected) => {
  for (const one of spoiledOf(command)) {
    expect(one).toMatch(expected);
    expect(one).not.toBe(command);
  }
});

test.each([
  [
    'python3 -c "from m import f; import sys; sys.exit(0 if f(2) == 4 else 1)"',
    /exit\(0 if f\(2\) == [235-9] else 1\)"$/,
  ],
  ['python3 -c "from m import f; exit(f(2) != 4)"', /exit\(f\(2\) != [235-9]\)"$/],
  ['python3 -c "from m import f; raise SystemExit(not f(2))"', /SystemExit\(not {2}not \(f\(2\)\)\)"$/],
  ['python3 -c "from m import f\nif f(2) != 4:\n    raise SystemExit(1)"', /if f\(2\) != [235-9]:/],
  [`node -e "if (require('./n').f(2) !== 4) process.exit(1)"`, /f\(2\) !== [235-9]\) process\.exit\(1\)"$/],
  [`node -e "if (require('./n').f(2) !== 4) throw new Error('no')"`, /f\(2\) !== [235-9]\) throw/],
  [`node -e "process.exit(require('./n').f(2) === 4 ? 0 : 1)"`, /f\(2\) === [235-9] \? 0 : 1\)"$/],
  [`sh -c '[ "$(./f 2)" = 4 ]'`, /^sh -c '\[ "\$\(\.\/f 2\)" = [0-35-9] \]'$/],
  ['test "$(./f 2)" = 4 && echo ok', /^test .* = [0-35-9] && echo ok$/],
  ['if [ "$(./f 2)" != 4 ]; then exit 1; fi', /^if \[ .* != [0-35-9] \]; then exit 1; fi$/],
])('%s asks for another value where it does not assert', (command, expected) => {
  for (const one of spoiledOf(command)) expect(one).toMatch(expected);
});

test.each([
  `node -e "require('assert').equal('5', 5); console.log(1)"`,
  `node -e 'const assert = require("node:assert"); assert.deepStrictEqual({ a: [1] }, { a: [1] })'`,
  `node -e "require('assert').ok(1)" || exit 1`,
])('%s passes, and fails once it is spoiled', (command) => {
  const run = (text = '') => spawnSync('bash', { input: text, encoding: 'utf8' }).status;
  expect(run(command)).toBe(0);
  for (const one of new Set(spoiledOf(command).slice(0, 4))) expect([one, run(one)]).toEqual([one, 1]);
});

test('code whose failure is not that of the step is left alone', () => {
  for (const command of [
    '! python3 -c "import sums; assert sums.add(1) == 2"',
    'python3 -c "import sums; assert sums.add(1) == 2" 2>&1 | grep -q Error',
    'if python3 -c "import sums; assert sums.add(1) == 2"; then exit 1; fi',
    'python3 -c "assert sums" || true',
    'python3 -c "assert sums" || exit 0',
    'python3 -c "for a in b: f(a); assert a; g(a)\nmain()"',
    'python3 -c "def f(): assert 1\nf(); g()"',
    './python3 -c "assert 1"',
  ])
    expect([command, spoilCommand(command, drawsOf(1))]).toEqual([command, undefined]);
});

test.each([
  ['make && [ "$(./f 2)" = 4 ]', /^make && \[ "\$\(\.\/f 2\)" = (?!4)\d \]$/],
  ['cd app; test "$(node f.js 2)" -eq 7 || exit 1', /^cd app; test .* -eq (?!7)\d \|\| exit 1$/],
  ['python3 main.py list | grep -q milk', /^python3 main\.py list \| grep -q m[^i]lk$/],
  ['python3 main.py > out && diff out wanted', /^python3 main\.py > out && ! diff out wanted$/],
  ['python3 -c "print(add(2, 3))" | grep -qx 5', /\| grep -qx \d\d$/],
])('a command that ends with a comparison expects something else: %s', (command, expected) => {
  for (const spoiled of spoiledOf(command)) expect(spoiled).toMatch(expected);
});

test('a comparison that does not decide, or is not about what the work does, is left alone', () => {
  for (const command of [
    'prepare || [ "$(./f 2)" = 4 ]',
    'if true; then [ "$(./f 2)" = 4 ]; fi',
    'trap "exit 0" EXIT; [ "$(./f 2)" = 4 ]',
    '[ "$(./f 2)" = 4 ]; true',
    'git diff --exit-code',
    '! grep -rn TODO src',
    'grep -q milk list.txt',
  ])
    expect([command, spoilCommand(command, drawsOf(1))]).toEqual([command, undefined]);
});
