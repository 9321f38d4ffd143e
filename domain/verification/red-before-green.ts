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
  return failed.exitCode === noTests && /no tests (ran|collected)/i.test(failed.output)
    ? `${checks.join(', ')} holds no tests`
    : undefined;
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
