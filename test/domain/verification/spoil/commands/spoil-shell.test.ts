import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { spoilShell } from '../../../../../domain/verification/spoil/commands/spoil-shell.ts';
import { drawsOf } from '../../../../../domain/verification/spoil/draw.ts';

const spoil = (content: string, seed = 7) => spoilShell(content, drawsOf(seed)).content;
const spoiledOf = (content: string) => Array.from({ length: 12 }, (_, seed) => spoil(content, seed));

/** Scripts that pass, with what stands for the work. */
const honest = [
  '[ "$(add 2 3)" = 5 ]\n',
  'set -eu\n[ "$(add 2 3)" -eq 5 ]\n[[ $(add 1 1) == "2" ]]  \n[ "$(add 1 1)" != 3 ]\necho well\n',
  '[ "$(add 2 3)" = 5 ] || exit 1\nexit 0\n',
  'test "$(add 2 3)" = \'5\' && echo well || { echo "not 5"; exit 3; }\nexit 0\n',
  'fail() { echo "$1"; exit 1; }\nsum=$(add 2 3)\n[ "$sum" = "5" ] || fail "no"\n[ "$sum" -gt 4 ] || fail no\necho "all passed"\n',
  'if [ "$(add 2 3)" != "5" ]; then\n  echo wrong\n  exit 1\nfi\necho ok\n',
  'if ! [ "$(add 2 3)" -lt 9 ]\nthen exit 1\nfi\nexit 0\n',
  'if [ 5 -ne "$(add 2 3)" ]; then exit 2; fi\n',
  'add 2 3 > /tmp/longhaul-spoiled-sum\necho 5 | cmp - /tmp/longhaul-spoiled-sum || exit 1\necho 5 | diff - /tmp/longhaul-spoiled-sum\n',
  'add 2 3 | grep -qx 5\n',
  'add 2 3 | grep -q "^5$" || exit 1\n',
  'out=$(add 2 3)\nif ! echo "$out" | grep -qx "5"; then\n  echo wrong\n  exit 1\nfi\n',
  'if [ "$(add 2 3)" != "5" ] || [ "$(add 1 1)" != "2" ]; then\n  exit 1\nfi\n',
  "printf 'Hello, Eve!\\n' | grep -q 'Hello, Eve!'\n",
  'echo "well done" | grep -qx "[a-z]* done" || exit 1\n',
  'set -e\nout="Hello, Eve!"\ncase "$out" in\n  *\'Hello, Eve!\'*) ;;\n  *) echo no; exit 1 ;;\nesac\n',
  '[ -n "$(add 2 3)" ]\n',
  'cd . || exit\nadd() { echo 5; return 0; }\ntrap "rm -f x" EXIT\n[ "$(add)" = 5 ] || exit\necho ok\n',
  'expected=5\n[ "$(add 2 3)" = "$expected" ]\n',
  '[ "$(add 2 3)" = 5 ] && [ "$(add 1 1)" = 2 ]\n',
  '[ "$(echo its)" = "its" ] # [ a = b ]\n',
  '[ "$(add 2 3)" = 5 -a a = a ]\nok=$?\n[ $ok = 0 ] || exit\nexit 0',
];

test.each(honest)('a script fails once it is spoiled, and did not before: %j', (script) => {
  const run = (text: string) =>
    spawnSync('bash', { input: `add() { echo $(($1 + $2)); }\n${text}`, encoding: 'utf8' }).status;
  expect(run(script)).toBe(0);
  const spoiled = new Set(spoiledOf(script));
  for (const one of spoiled) {
    expect([one, run(one)]).not.toEqual([one, 0]);
    // It looks as the script itself does: as long, or turned round.
    expect(Math.abs(one.length - script.length)).toBeLessThan(3);
  }
  expect(spoiled).not.toContain(script);
});

test('one of the comparisons whose failure ends a script expects another value, of which none is easy to tell', () => {
  const two = spoiledOf('set -e\n[ "$(add 2 3)" = 15 ]\n[ "$(add 2 3)" = "a b" ]\n');
  for (const one of two) expect(one).toMatch(/= (1[^5]|[^1]5) \]\n.*"a b" \]\n$|= 15 \]\n.*"([^a] b|a [^b])" \]\n$/);
  for (const one of spoiledOf("./greet Eve | grep -q 'Hello, Eve!'\n"))
    expect(one).toMatch(/^\.\/greet Eve \| grep -q '(?!Hello, Eve!)H\wll\w, \wv\w!'\n$/);
  for (const text of [
    "./greet | grep -qv 'Hello'\n",
    "./greet | grep -q -e 'Hello' -e 'Bye'\n",
    "./greet | grep -q 'Hello*'\n",
  ])
    expect(spoil(text)).toBe(`! ${text}`);
  expect(spoil('case "$x" in "Hello") ;; *) exit 1;; esac\n')).toMatch(/in "(H\wllo|Hell\w)"\)/);
  for (const text of [
    'if ! x | grep -qx "42"; then exit 1; fi\n',
    "x | grep -q '^42$'\n",
    'x | grep -xq 42 || exit 1\n',
  ])
    for (const one of spoiledOf(text)) expect(one).toBe(text.replace('42', /\d4[013-9]/.exec(one)?.[0] ?? ''));
  for (const one of spoiledOf('if [ "$a" != 42 ] || [ "$b" != 9 ]; then exit 1; fi\n'))
    expect(one).toMatch(/(4[^2]|[^4]2) \] .* 9 \]|42 \] .* [^9] \]/);
  expect(spoiledOf('[ "$x" = "$y" ]\n')).toContain('[ "$x" != "$y" ]\n');
});

test.each([
  ['[ a = b ]\necho well\n', '[ a = b ]\necho well\n\nexit 1\n'],
  ['if ok; then exit; fi\nexit 0', 'if ok; then exit 1; fi\nexit 1\nexit 1\n'],
  ['[ -e tool ] || exit 0\n[ a = a ] || exit 1\n', '[ -e tool ] || exit 1\n[ a = a ] || exit 1\n\nexit 1\n'],
  ['check() {\n[ a = a ] || exit 1\n}\n', 'check() {\n[ a = a ] || exit 1\n}\n\nexit 1\n'],
  ['if slow; then\n  [ a = a ] || exit 1\nfi\n', 'if slow; then\n  [ a = a ] || exit 1\nfi\n\nexit 1\n'],
  ['for one in $x; do\n[ a = a ] || exit 1\ndone\n', 'for one in $x; do\n[ a = a ] || exit 1\ndone\n\nexit 1\n'],
  ["trap 'exit 0' EXIT\n[ a = a ]\n", "trap 'exit 0' EXIT\n[ a = a ]\n\nexit 1\n"],
  ['[ a = a ] || { echo no; exit; }\ntrue\n', '[ a = a ] || { echo no; exit 1; }\ntrue\n\nexit 1\n'],
  ['cat <<E\n[ a = a ] || exit 1\nE\n', 'cat <<E\n[ a = a ] || exit 1\nE\n\nexit 1\n'],
])('a script whose end is not certain, as %j, ends with 1', (content, expected) => {
  expect(new Set(spoiledOf(content))).toEqual(new Set([expected]));
});

test('a script that another program takes over fails at once', () => {
  expect(new Set(spoiledOf('exec python3 check.py\n'))).toEqual(new Set(['#!/bin/sh\nexit 1\n']));
  expect(spoil('exec 2>&1\ntrue\n')).toContain('true\n\nexit 1');
});

test('code that a script gives to an interpreter expects another value, if its failure is certain to end the script', () => {
  const code = "./list | python3 -c '\nimport sys\nassert len(sys.stdin.readlines()) == 3\n'\n";
  for (const script of [code, `set -e\n${code}echo well\n`])
    for (const one of spoiledOf(script)) expect(one).toBe(script.replace('== 3', /== [24-9]/.exec(one)?.[0] ?? ''));
  expect(new Set(spoiledOf(`${code}echo well\n`))).toEqual(new Set([`${code}echo well\n\nexit 1\n`]));
});

test('each comparison of a script is spoiled alone, up to five', () => {
  const script = (count: number) => Array.from({ length: count }, () => '[ "$(./f 2)" = 4 ] || exit 1\n').join('');
  for (const [count, places] of [
    [1, 1],
    [3, 3],
    [9, 5],
  ] as const) {
    const { content, further = [] } = spoilShell(script(count), drawsOf(7));
    const changed = [content, ...further].map((one) => one.split('\n').findIndex((line) => / = [^4] /.test(line)));
    expect(new Set(changed).size).toBe(places);
    expect(changed).not.toContain(-1);
  }
});
