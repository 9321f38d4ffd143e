import type { Draw } from '../draw.ts';
import type { CalledFunction, CheckWithTests, HelperFile } from '../helpers/helper-file.ts';
import type { Edit } from '../source-text.ts';
import { findAssertCalls, findExpectations } from './javascript-assertions.ts';
import { calls, findFunctions, isCertain, mask, startsWithWord } from './javascript-code.ts';
import { findConditions } from './javascript-conditions.ts';
import { findTests } from './javascript-tests.ts';

/** The check may put something else in a function's place. */
const mocks = /\.(?:mock|doMock|unstable_mockModule|spyOn|method)\(/;

/** For each assertion of a helper's function that a check surely calls, a change with which it fails. */
export function spoilHelperOfJavaScript(
  check: CheckWithTests,
  helper: HelperFile,
  { name, local }: CalledFunction,
  draw: Draw,
): Edit[] {
  const source = mask(helper.content);
  const functions = findFunctions(source);
  const [body, ...others] = functions.filter((one) => one.name === name);
  const masked = mask(check.content);
  const own = findFunctions(masked);
  if (!body || others.length > 0 || mocks.test(masked) || own.some((one) => one.name === local)) return [];
  const isCalled = findTests(check.content, masked, own)
    .filter((test) => !test.isConditional && check.tests.some((one) => one.name === test.name))
    .some((test) => calls(masked, test, { ...body, name: local }));
  if (!isCalled) return [];
  const isForeign = ({ begin }: { begin: number }) => !functions.some((one) => startsWithWord(source, begin, one.name));
  return [findExpectations, findAssertCalls, findConditions]
    .flatMap((find) => find(helper.content, source))
    .filter((one) => body.begin <= one.begin && one.begin < body.end && isForeign(one))
    .filter((one) => isCertain(source, body, one, false))
    .map((one) => one.spoil(draw));
}
