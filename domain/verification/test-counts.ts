import { literalPattern } from '../literal-pattern.ts';

/** How many tests a runner says that it ran, and how many it skipped. */
export interface TestCounts {
  ran: number;
  skipped: number;
}

/**
 * What the summaries in an output say, in sum: of unittest, pytest, `node --test`, jest, vitest and mocha. Undefined if there is none. The work may have
 * printed it, so it is never a reason to let work pass.
 */
export function readTestCounts(output: string): TestCounts | undefined {
  const found = summaries.flatMap((read) => read(output));
  if (found.length === 0) return undefined;
  return {
    ran: found.reduce((sum, { ran }) => sum + ran, 0),
    skipped: found.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** Whether an output has a summary of a runner, also of one that found no tests. */
export function hasReport(output: string): boolean {
  return readTestCounts(output) !== undefined || /^ *Test (?:Suites|Files)\b/m.test(output);
}

/** Whether a runner's output names a file of tests: by its name, in Python by its module, in TypeScript by what it is compiled to. */
export function namesCheck(output: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, module] = /^(?!tests?\.)(\w+)\.py$/.exec(name) ?? [];
  const compiled = name.replace(/\.([cm]?)tsx?$/, '.$1js');
  return (
    [name, compiled].some((one) => output.includes(one)) ||
    (module !== undefined && new RegExp(`(?<!\\w)${module}(?!\\w)`).test(output))
  );
}

/** Whether a runner's output says that tests of a file failed. */
export function saysFailed(output: string, path: string): boolean {
  if (!hasReport(output)) return false;
  const lines = output.split('\n').filter((line) => /\b(?:FAIL|FAILED|ERROR|not ok)\b|✖|❯|\btest at\b/.test(line));
  return lines.some((line) => namesCheck(line, path));
}

/** A line with which a runner says that a test passed or was left out, or in which it shows code around a failure. */
const noFailure = /^\s*(?:ok \d|[✔✓√○﹣])|\b(?:PASSED|SKIPPED)\b|\.\.\. (?:ok|skipped)|^\s*>?\s*\d+\s*\|/;

/** Whether a runner's output names a test outside of such lines, and not as a part of a longer name. */
export function showsFailure(output: string, test: string): boolean {
  const name = literalPattern(test);
  const named = new RegExp(`(?<!\\w)${name}(?!\\w)(?=\\s*(?:$|[:[("'#]|=>|[-_]|\\.{3}|[\\d.]+ ?m?s\\b))`);
  return output.split('\n').some((line) => !noFailure.test(line) && named.test(line));
}

/** Each knows the summary of one kind of runner. */
const summaries: Array<(output: string) => TestCounts[]> = [
  (output) =>
    [...output.matchAll(/^Ran (\d+) tests? in .*\n+(?:OK|FAILED|NO TESTS RAN)(.*)/gm)].map(([, all, details = '']) => {
      const skipped = countOf(details, /skipped=(\d+)/);
      return { ran: Number(all) - skipped, skipped };
    }),
  (output) =>
    [...output.matchAll(/^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s/gm)].map(([, counts = '']) => ({
      ran: countOf(counts, /(\d+) (?:passed|failed|errors?|xfailed|xpassed)\b/g),
      skipped: countOf(counts, /(\d+) (?:skipped|deselected)\b/g),
    })),
  (output) =>
    [...output.matchAll(/^(?:#|ℹ) tests (\d+)\n(?:(?:#|ℹ) .*\n?)*/gm)].map(([summary, all]) => {
      const skipped = countOf(summary, /(?:skipped|todo) (\d+)/g);
      return { ran: Number(all) - skipped, skipped };
    }),
  (output) =>
    [...output.matchAll(/^ *Tests:? +((?:\d+ [a-z]+(?:, | \| )?)+)/gm)].map(([, counts = '']) => ({
      ran: countOf(counts, /(\d+) (?:passed|failed)\b/g),
      skipped: countOf(counts, /(\d+) (?:skipped|todo)\b/g),
    })),
  (output) =>
    [...output.matchAll(/^ *(\d+) passing\b.*\n(?:.*\n){0,2}/gm)].map(([summary]) => ({
      ran: countOf(summary, /(\d+) (?:passing|failing)\b/g),
      skipped: countOf(summary, /(\d+) pending\b/g),
    })),
];

function countOf(text: string, pattern: RegExp): number {
  const all = [...text.matchAll(new RegExp(pattern, 'g'))];
  return all.reduce((sum, [, count]) => sum + Number(count), 0);
}
