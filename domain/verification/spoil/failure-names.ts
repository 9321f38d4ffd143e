const names = /(?<![\w$.])\w*(?:fail|error|wrong|problem|mismatch)\w*/gi;
/** A program may allow for some failures. */
const comparesWithSome = /(?<![<>!=])[<>!=]={0,2}(?![=\s]*0(?!\d))/;

/** Whether a condition says itself what the work has to do, rather than whether something failed before. */
export function asksTheWork(masked: string): boolean {
  return (
    /[\w$]\s*\(/.test(masked) &&
    !/\b(?:len|any|all|sum)\(|\.(?:length|every|some)\b/.test(masked) &&
    !masked.match(names)
  );
}

/** The names of what a program counts failures in, if its exit code depends on whether there was one. What it exits with is found in the first group. */
export function failureNames(masked: string, exitsWith: RegExp): string[] {
  return [...masked.matchAll(exitsWith)]
    .filter(([, code = '']) => !comparesWithSome.test(code))
    .flatMap(([, code = '']) => code.match(names) ?? []);
}
