import { foldersOf } from './proposal.ts';

/**
 * A check file that must fail, made from one that passes: each test in it, so that any selection of them fails too. Undefined for a file of which nothing
 * is known.
 */
export function spoilCheck(path: string, content: string): string | undefined {
  return kindOf(path)?.spoil(content);
}

/** Whether a file is a check of a known kind. */
export function isKnownCheck(path: string): boolean {
  return kindOf(path) !== undefined;
}

function kindOf(path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return kinds.find(({ files }) => files.test(name));
}

const kinds: Array<{ files: RegExp; runners: RegExp; spoil(content: string): string | undefined }> = [
  {
    files: /^(test.*|.*_test|tests)\.py$/,
    runners: asWord('pytest|py\\.test|unittest|nose2|tox'),
    spoil: spoilPython,
  },
  {
    files: /\.(test|spec)\.[cm]?[jt]sx?$|^(test|spec)[-_.].*\.[cm]?[jt]sx?$|^tests?\.[cm]?[jt]sx?$/,
    runners: asWord('jest|vitest|mocha|ava|tap|node\\s+--test|(npm|pnpm|yarn|bun)\\s+(run\\s+)?test'),
    spoil: spoilJavaScript,
  },
  { files: /\.(sh|bash|bats)$/, runners: asWord('bats'), spoil: () => '#!/bin/sh\nexit 1\n' },
];

/** Runs checks of any kind. */
const make = asWord('make\\s+(check|test)');

function asWord(words: string): RegExp {
  return new RegExp(`(?<![\\w./-])(${words})(?![\\w-])`);
}

const message = 'Spoiled by the harness: this check must fail.';

/**
 * Lets every test function and method raise; `wraps` keeps names, parameters and marks, by which tests are selected and called. Where unittest's assertions
 * were changed so that they accept anything, the tests pass instead, as they would.
 */
const spoiler = `
def _spoil(scope):
    import functools
    import inspect
    import unittest
    def accepts(name, *wrong):
        try:
            getattr(unittest.TestCase(), name)(*wrong)
        except BaseException:
            return False
        return True
    changed = (
        accepts('assertEqual', 1, 2) or accepts('assertTrue', False) or accepts('assertFalse', True)
        or accepts('assertIn', 1, []) or accepts('assertIs', None, 1) or accepts('assertIsNone', 1)
        or accepts('assertAlmostEqual', 1, 2) or accepts('assertListEqual', [1], []) or accepts('fail')
    )
    def spoiled(test):
        @functools.wraps(test)
        def fail(*_arguments, **_named):
            if not changed:
                raise AssertionError('${message}')
        return fail
    for name, value in list(scope.items()):
        if inspect.isfunction(value) and name.startswith('test'):
            scope[name] = spoiled(value)
        elif inspect.isclass(value):
            for part, method in list(vars(value).items()):
                if inspect.isfunction(method) and (part.startswith('test') or part == 'runTest'):
                    setattr(value, part, spoiled(method))
_spoil(globals())
del _spoil
`;

/** What runs the tests when the file is run by itself comes after the spoiler. */
function spoilPython(content: string): string {
  const main = /^if\s+__name__\s*==/m.exec(content);
  if (!main) return `${content}\n${spoiler}`;
  return `${content.slice(0, main.index)}${spoiler}\n${content.slice(main.index)}`;
}

/** Breaks each assertion, and adds a test that fails for tests without one. */
function spoilJavaScript(content: string): string | undefined {
  const thrower = `(() => { throw new Error(${JSON.stringify(message)}); })(`;
  const broken = content.replace(/(?<![\w$.])(expect|assert(\.\w+)*|should|t\.\w+)\(/g, thrower);
  const [, test] = /(?<![\w$.])(test|it)(\.\w+)?\(/.exec(content) ?? [];
  if (test === undefined && broken === content) return undefined;
  const added =
    test === undefined ? '' : `\n;${test}(${JSON.stringify(message)}, () => { throw new Error('spoiled'); });\n`;
  return `${broken}${added}`;
}

/** Whether a command runs a check: it names the check's file or module, all of a folder that the file is in, or a runner of such files. */
export function runsCheck(command: string, path: string): boolean {
  if (make.test(command) || kindOf(path)?.runners.test(command)) return true;
  const module = path.replace(/\.\w+$/, '').replaceAll('/', '.');
  if (command.includes(path) || command.includes(module)) return true;
  return foldersOf(path).some((folder) =>
    new RegExp(`(?<![\\w./-])(\\./)?${asLiteral(folder)}/?(?=$|[\\s"'*;&|)])`).test(command),
  );
}

function asLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
