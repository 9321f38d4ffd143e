import { failureNames } from '../failure-names.ts';

/** Statements that may say what is wrong, after a condition. */
const says = String.raw`^:[ \t]*(?:\n(?:[ \t]+(?!(?:if|for|while|with|try|else|elif|return|continue|break)\b)[^\n]*\n){0,3}[ \t]+)?`;
const exitsAsFailed = new RegExp(
  String.raw`${says}(?:raise(?!\w)|(?:sys\.exit|os\._exit|exit|quit)\(\s*(?:[1-9"]|f"))`,
);

/** Whether a program that runs what follows a condition ends as failed: at once, or since it counts a failure. */
export function endsAsFailed(masked: string, place: number): boolean {
  const after = masked.slice(place);
  const counting = countingOf(masked);
  return exitsAsFailed.test(after) || (counting !== undefined && new RegExp(says + counting.source).test(after));
}

/** What a program exits with. */
const exitsWith = /(?<![\w.])(?:sys\.exit|exit|quit|raise\s+SystemExit)\s*\(([^\n]*)/g;

/** How a program counts a failure, if its exit code depends on whether there was one; undefined if it is not known to. */
export function countingOf(masked: string): RegExp | undefined {
  const names = failureNames(masked, exitsWith);
  return names.length > 0
    ? new RegExp(`(?<![\\w.])(?:${names.join('|')})(?:\\s*\\+=|\\.append\\(|\\s*=\\s*True)`)
    : undefined;
}
