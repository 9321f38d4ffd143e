import { expect, test } from '@jest/globals';
import { expandCommand, expandCommands } from '../../../../../domain/verification/spoil/commands/expand-command.ts';
import { runsCheck } from '../../../../../domain/verification/spoil/spoil-check.ts';

const pythonCheck = 'tests/test_sums.py';
const makefile = `RUN := python3 -m unittest
all: app.o
	$(RUN) discover
app.o: app.c
	@gcc -c app.c
verify: all
check lint:
	@npx eslint . && \\
		tsc --noEmit
test: ; sh run-all.sh
`;
const packageJson = JSON.stringify({
  scripts: { report: 'node report.js', check: 'eslint .', verify: 'node --test test/', test: 'exit 1', pretest: 'tsc' },
});
const scripts = new Map([
  ['Makefile', makefile],
  ['package.json', packageJson],
  ['web/package.json', packageJson],
]);

/** The paths at which scripts of a command are looked for. */
function asked(command: string, known: ReadonlyMap<string, string> = new Map()): string[] {
  const paths: string[] = [];
  expandCommand(command, {
    get(path) {
      paths.push(path);
      return known.get(path);
    },
  });
  return paths;
}

function runs(command: string, path: string, { others = [] as string[], known = scripts } = {}): boolean {
  return runsCheck(expandCommands([command, ...others], known, [path]).get(command) ?? '', path);
}

test('a target or script is judged by what it ran before the work, with what it needs', () => {
  for (const command of ['make', 'make -s all', 'make verify', 'make -j 4 CC="gcc -O2" verify'])
    expect([command, runs(command, pythonCheck)]).toEqual([command, true]);
  for (const command of ['make app.o', 'make check'])
    expect([command, runs(command, pythonCheck)]).toEqual([command, false]);
  expect(runs('npm run verify --silent', 'test/sums.test.js')).toBe(true);
  expect(runs('cd web && npm run verify', 'web/test/sums.test.js')).toBe(true);
  for (const command of ['npm run report', 'npm run check', 'cd web && yarn report'])
    expect([command, runs(command, 'test/sums.test.js')]).toEqual([command, false]);
});

test('a target or script whose name says that it checks may do so by another program', () => {
  expect(runs('make test', pythonCheck)).toBe(true);
  expect(runs('npm test', 'test/sums.test.js')).toBe(true);
  expect(expandCommands(['npm test'], scripts, []).get('npm test')).toBe('npm test\ntsc\nexit 1');
});

test('of what is not known, names count; one that may be anything counts where nothing else runs a check', () => {
  const known = new Map<string, string>();
  for (const command of ['make', 'make everything', 'make -C sub check', 'make -f other.mk'])
    expect([command, runs(command, pythonCheck, { known })]).toEqual([command, true]);
  for (const command of ['make lint', 'make build docs', 'make typecheck'])
    expect([command, runs(command, pythonCheck, { known })]).toEqual([command, false]);
  const others = ['python3 -m unittest'];
  expect(runs('make', pythonCheck, { known, others })).toBe(false);
  expect(runs('make verify', pythonCheck, { known, others })).toBe(true);
});

test('scripts are those of the folder that a command changes to', () => {
  expect(asked('make')).toEqual(['GNUmakefile', 'makefile', 'Makefile']);
  expect(asked('cd ./web && npm test')).toEqual(['web/package.json']);
});

test('a broken package.json has no scripts', () => {
  const known = new Map([['package.json', '{']]);
  expect(runs('npm run verify', 'test/sums.test.js', { known })).toBe(true);
});

test('what a target runs is not known where another makefile has it', () => {
  const scripts = new Map([['Makefile', 'include rules.mk\ncheck: test\nbuild:\n\tgcc app.c\n']]);
  expect(expandCommand('make check', scripts)).toBe('make check');
  expect(expandCommand('make build', scripts)).toBe('gcc app.c');
  expect(expandCommand('make check', new Map([['Makefile', 'check: test-unit\n']]))).toBe('make check');
});

test('a script of the shell is judged by what it does, not by what it says or installs', () => {
  const script = 'set -e\npython3 -m unittest discover\n';
  for (const command of ['sh run.sh', 'bash -e ./run.sh', './run.sh', 'cd web && ./run.sh']) {
    const known = new Map([
      ['run.sh', script],
      ['web/run.sh', script],
    ]);
    expect([command, runs(command, pythonCheck, { known })]).toEqual([command, true]);
    expect(asked(command)).toContain(command.startsWith('cd') ? 'web/run.sh' : 'run.sh');
  }
  for (const text of ['# pytest\necho pytest\n./app\n', 'pip install pytest\n./app\n', '#!/usr/bin/python3\npytest\n'])
    expect(runs('./run', pythonCheck, { known: new Map([['run', text]]) })).toBe(false);
  expect(asked('sh ../run.sh; bash /run.sh')).toEqual([]);
});

test('a script is followed through scripts that it calls, also below another folder', () => {
  const known = new Map([
    ['package.json', JSON.stringify({ scripts: { test: 'sh scripts/test.sh' } })],
    ['scripts/test.sh', 'set -e\nmake -C web verify\n'],
    ['web/Makefile', 'verify:\n\tnode --test\n'],
  ]);
  expect(expandCommands(['npm test'], known, []).get('npm test')?.split(/\n+/)).toEqual([
    'npm test',
    'sh scripts/test.sh',
    'set -e',
    'make -C web verify',
    'node --test',
  ]);
  expect(asked('npm test', known)).toContain('web/Makefile');
  const endless = new Map([
    ['a.sh', 'sh a.sh; sh b.sh'],
    ['b.sh', 'sh a.sh'],
  ]);
  expect(runs('sh a.sh', 'b.sh', { known: endless })).toBe(true);
});

test('what npm hands on to a script belongs to it', () => {
  const known = new Map([['package.json', JSON.stringify({ scripts: { test: 'node --test' } })]]);
  expect(runs('npm test -- test/a.test.js', 'test/a.test.js', { known })).toBe(true);
  expect(runs('npm test -- test/a.test.js', 'test/b.test.js', { known })).toBe(false);
});
