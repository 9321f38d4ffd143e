import { failureNames } from '../failure-names.ts';

/** Statements that may say what is wrong, after a condition. */
const says = String.raw`^:[ \t]*(?:\n(?:[ \t]+(?!(?:if|for|while|with|try|else|elif|return|continue|break)\b)[^\n]*\n){0,3}[ \t]+)?`;
const exits = String.raw`(?:raise(?!\w)|(?:self|pytest)\.fail\(|(?:sys\.exit|os\._exit|exit|quit)\(\s*(?:[1-9"]|f"))`;
const functionThatExits = new RegExp(
  String.raw`^def[ \t]+(\w+)\([^\n]*:[ \t]*\n(?:[ \t]+(?!(?:if|for|while|with|try|return)\b)[^\n]*\n){0,5}?[ \t]+${exits}`,
  'gm',
);
const exitsWithMain = /(?<![\w.])(?:sys\.exit|exit|raise\s+SystemExit)\s*\(\s*main\(\)\s*\)/;

/** What ends a program as failed, or has its main function do so. */
function endersOf(masked: string): string {
  const names = [...masked.matchAll(functionThatExits)].flatMap(([, name = '']) => name);
  const ofMain = exitsWithMain.test(masked) ? [String.raw`return[ \t]+[1-9]`] : [];
  return `(?:${[exits, ...names.map((name) => `${name}\\(`), ...ofMain].join('|')})`;
}

/** Whether a program that runs what follows a condition ends as failed: at once, or since it counts a failure. */
export function endsAsFailed(masked: string, place: number): boolean {
  const after = masked.slice(place);
  const counting = countingOf(masked);
  return (
    new RegExp(says + endersOf(masked)).test(after) ||
    (counting !== undefined && new RegExp(says + counting.source).test(after))
  );
}

/** What a program exits with. */
const exitsWith = /(?<![\w.])(?:sys\.exit|exit|quit|raise\s+SystemExit)\s*\(([^\n]*)/g;

/** What a main function returns, whose result the program exits with: `return 1 if failures else 0`. */
const returnsOrNot = /^[ \t]+return[ \t]+((?:1[ \t]+if|0[ \t]+if[ \t]+not)[ \t][^\n]*|int\(bool\([^\n]*|len\([^\n]*)/gm;

/** How a program counts a failure, if its exit code depends on whether there was one; undefined if it is not known to. */
export function countingOf(masked: string): RegExp | undefined {
  const names = [exitsWith, ...(exitsWithMain.test(masked) ? [returnsOrNot] : [])].flatMap((form) =>
    failureNames(masked, form),
  );
  return names.length > 0
    ? new RegExp(`(?<![\\w.])(?:${names.join('|')})(?:\\s*\\+=|\\.append\\(|\\s*=\\s*True)`)
    : undefined;
}
