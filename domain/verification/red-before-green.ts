import type { StepResult } from '../project/settings.ts';

/**
 * Why the run of a feature's verification before the work proves nothing; undefined if it failed as it should.
 * @param steps What ran, until one failed.
 * @param checks Paths of the check files that the last of them runs.
 */
export function findUnproven(steps: StepResult[], checks: string[]): string | undefined {
  const failed = steps.find(({ passed }) => !passed);
  if (!failed) return 'it passes before any work';
  if (checks.length === 0) return undefined;
  const broken = checks.find((path) => isBrokenPython(path, failed.output));
  if (broken) return `${broken} cannot be read as Python`;
  const brokenScript = checks.find((path) => isBrokenJavaScript(path, failed.output));
  if (brokenScript) return `${brokenScript} cannot be read as JavaScript`;
  const isEmpty =
    (failed.exitCode === noTests && /no tests (ran|collected)/i.test(failed.output)) ||
    /Your test suite must contain at least one test|No test suite found in file/.test(failed.output);
  return isEmpty ? `${checks.join(', ')} holds no tests` : undefined;
}

/** The exit code of pytest and, from Python 3.12 on, of unittest if they find no test. */
const noTests = 5;

/** Whether Python says that it is this file whose syntax is wrong, rather than one that the file imports. */
function isBrokenPython(path: string, output: string): boolean {
  const errors = output.matchAll(
    /File "([^"]+)", line \d+\n(?:(?!.*File ").*\n){0,4}?.*(?:SyntaxError|IndentationError|TabError): /g,
  );
  return [...errors].some(([, file = '']) => file === path || file.endsWith(`/${path}`));
}

/**
 * Whether Node says that it is this file whose syntax is wrong. What the work may have to do is no such error: a name that a module does not export yet, a
 * package that becomes one of modules, or a transformation of TypeScript or JSX.
 */
function isBrokenJavaScript(path: string, output: string): boolean {
  if (!/\.[cm]?js$/.test(path)) return false;
  const errors = output.matchAll(
    /^(?:# )?(?:file:\/\/)?(\/\S+):\d+\n(?:(?!.*Error: ).*\n){1,5}(?:# )?SyntaxError: (?:Unexpected (?:token (?!'(?:export|import|<)')|end of input|string|number)|missing |Invalid or unexpected token)/gm,
  );
  return [...errors].some(([, file = '']) => file.endsWith(`/${path}`));
}
