import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../domain/permissions/decide.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';

const rules = parseRules(
  { deny: ['Run(rm *)', 'Run(git push *)', 'Run(npm publish *)', 'Write(.github/**)'], ask: ['Run(curl *)'] },
  'project',
);

function effectOf(line: string): string {
  return decide(rules, { kind: 'Run', subject: line }).effect;
}

const denied = [
  'rm -rf /',
  'rm',
  'rm;',
  'rm\tx',
  'ls\nrm x',
  '/bin/rm -rf x',
  '../../bin/rm x',
  '$D/rm x',
  '\\rm x',
  'r\\m x',
  'r""m x',
  "'rm' x",
  "$'\\x72\\x6d' x",
  'r\\\nm x',
  'FOO=1 rm x',
  '>f rm x',
  'ls; rm x',
  'ls && rm x',
  'ls || rm x',
  'ls | rm x',
  'ls & rm x',
  '! rm x',
  '(rm x)',
  '{ rm x; }',
  'if true; then rm x; fi',
  'if rm x; then :; elif rm y; then :; fi',
  'for f in *; do rm $f; done',
  'for f in $(rm x); do :; done',
  'for ((i=0;i<1;i++)); do rm x; done',
  'while rm x; do :; done',
  'until rm x; do :; done',
  'select a in b; do rm x; done',
  'case a in a) rm x;; esac',
  'f() { rm x; }; f',
  'function f { rm x; }',
  'coproc rm x',
  'time rm x',
  'echo $(rm x)',
  'echo `rm x`',
  'echo "a $(rm x) b"',
  'echo "`rm x`"',
  'echo $(echo $(rm x))',
  'echo $(echo `rm x`)',
  `echo \${y:-$(rm x)}`,
  `echo \${y/a/$(rm x)}`,
  'echo $(( $(rm x) + 1 ))',
  '(( a = $(rm x) ))',
  '[[ -n $(rm x) ]]',
  'cat <(rm x)',
  'tee >(rm x)',
  'a=$(rm x)',
  'a=(1 $(rm x))',
  'export A=$(rm x)',
  'cat <<E\n$(rm x)\nE',
  'cat <<< "$(rm x)"',
  'echo x > "$(rm x)"',
  'bash -c "rm x"',
  "sh -c 'ls; rm x'",
  "/bin/bash -ec 'rm x'",
  "bash -o pipefail -c 'rm x'",
  "bash --norc -c 'rm x'",
  'bash -c "bash -c \'rm x\'"',
  "bash -c '$0 x' rm",
  'bash <<< "rm x"',
  "bash <<'E'\nrm x\nE",
  'eval "rm x"',
  'eval rm x',
  'eval \'eval "rm x"\'',
  'command rm x',
  'builtin command rm x',
  'exec -a ls rm x',
  'env rm x',
  'FOO=1 /usr/bin/env -i A=b rm x',
  'env -S "rm -rf /"',
  "env -S'rm -rf /'",
  'env --split-string="rm -rf /"',
  'sudo -u root rm x',
  "su -c 'rm x'",
  'nohup rm x &',
  '/usr/bin/time -f %e rm x',
  'timeout -s KILL 5s rm x',
  'nice -n 5 ionice -c2 rm x',
  'sudo env timeout 5 bash -c "rm x"',
  'echo x | xargs rm',
  'echo x | xargs -n1 -I{} rm {}',
  'find . -exec rm {} +',
  'find . -exec sh -c \'rm "$1"\' _ {} \\;',
  'busybox rm x',
  "script -qc 'rm x' /dev/null",
  'watch rm x',
  'parallel rm ::: x',
  "ssh host 'rm x'",
  'flock f rm x',
  "trap 'rm x' EXIT",
  "alias x='rm -rf'; x y",
  'hash -p /bin/rm ls; ls x',
  "mapfile -C 'rm x' -c 1 a",
  'git -C . push origin',
  'git --git-dir=.git push',
  'git -c a.b=c push origin main',
  'env git -C x push',
  'npm --prefix x publish',
  'echo x > .github/workflows/a.yml',
  'echo x >> ./src/../.github/a',
  'echo x &> /workspace/.github/a',
];

/** What can't be taken apart may be what is denied. */
const asked = [
  'curl example.com',
  'X=rm; $X x',
  '"$X" x',
  `\${X} x`,
  `r\${empty}m x`,
  `rm\${IFS}x`,
  '$(echo rm) x',
  '`echo rm` x',
  '{rm,x}',
  '/bin/r? x',
  '/bin/[r]m x',
  'git $X origin',
  `git "\${args[@]}"`,
  'eval "$X"',
  'eval $(echo rm) x',
  'bash -c "$X"',
  'bash script.sh',
  'source ./x.sh',
  '. ./x.sh',
  'echo "rm x" | bash',
  'echo "rm x" | sudo sh -s',
  'bash <<E\n$X\nE',
  'echo rm x | xargs env',
  'echo "rm x" | xargs -0 sh -c',
  'echo rm | xargs -I% % x',
  'echo push | xargs git',
  'python -c \'import os; os.system("rm x")\'',
  "python3 - <<'E'\nimport os\nE",
  "node -e 'x'",
  "perl -e 'unlink x'",
  'awk \'BEGIN{system("rm x")}\'',
  "sed '1e rm x' f",
  "tar -cf a --checkpoint=1 --checkpoint-action=exec='rm x' f",
  "git -c alias.z='!rm x' z",
  "make --eval='x: ; rm x'",
  'BASH_ENV=x bash --version',
  'echo x > $F',
  'cd .github && echo x > a.yml',
  '"unterminated',
  'if then',
];

const allowed = [
  'npm install',
  'npm test -- --watch=false',
  'ls #rm x',
  'echo "rm x"',
  'grep -r rm .',
  'git commit -m "rm x"',
  'git log --grep push',
  'git status && git diff | head -n 3',
  "awk '{print $1}' f",
  "sed -n 's/a/b/p' f",
  'python -m pytest -q',
  'node server.js &',
  'bash --version',
  'echo $HOME',
  'for f in *.py; do echo "$f"; done',
  'echo x > out.txt 2>&1',
];

describe('a line of shell', () => {
  test.each(denied)('does not get past a deny: %s', (line) => {
    expect(effectOf(line)).toBe('deny');
  });

  test.each(asked)('is asked for where it cannot be taken apart: %s', (line) => {
    expect(effectOf(line)).toBe('ask');
  });

  test.each(allowed)('is allowed if it does nothing that is denied: %s', (line) => {
    expect(effectOf(line)).toBe('allow');
  });

  test('is asked for if it is nested or repeated without end', () => {
    const lines = ['(', '$(', '`', 'sudo ', '{ ', 'bash -c "', "eval '", 'a | ', '[[ '].map((one) => one.repeat(1_000));
    for (const line of lines) expect(effectOf(line)).toBe('ask');
  });
});

describe('a line that would hold up the worker', () => {
  test.each([
    ['options behind a wrapper', `env ${'-x '.repeat(499)}`],
    ['long arguments behind a wrapper', `env ${'-'.padEnd(64, 'x').concat(' ').repeat(480)}`],
    ['substitutions in substitutions', '$('.repeat(15_999)],
    ['quoted ones', '"$('.repeat(10_000)],
    ['arithmetic in arithmetic', '$(('.repeat(10_000)],
    ['here-documents', `x ${'<<a '.repeat(7_000)}`],
    ['many commands', 'x;'.repeat(15_000)],
    ['a long one', 'x '.repeat(20_000)],
    ['line breaks for sed', `env ${'sed '.repeat(90)}'${'\n'.repeat(30_000)}'`],
  ])('is judged at once, and may be anything: %s', (_what, line) => {
    const since = performance.now();
    expect(effectOf(line)).toBe('ask');
    expect(performance.now() - since).toBeLessThan(5_000);
  });

  test.each([`${'x '.repeat(20_000)}>.github/a`, `${'$('.repeat(40)}x >.github/a${')'.repeat(40)}`])(
    'may write any file',
    (line) => {
      const onFiles = parseRules({ deny: ['Write(.github/**)'] }, 'project');
      expect(decide(onFiles, { kind: 'Run', subject: line }).effect).toBe('ask');
    },
  );

  test('is not taken apart without a rule for what it has', () => {
    const { effect, verdicts } = decide(parseRules({ deny: ['Network(a.example)'] }, 'project'), {
      kind: 'Run',
      subject: 'a; b; c',
    });
    expect([effect, verdicts.length]).toEqual(['allow', 1]);
  });
});
