import type { Draw } from '../draw.ts';
import type { CalledFunction, CheckWithTests, HelperFile } from '../helpers/helper-file.ts';
import { type Edit, maskTokens, tokensOfPython } from '../source-text.ts';
import { findAssertions } from './python-assertions.ts';
import { findTests } from './python-tests.ts';
import { surelyRunsAny } from './surely-runs.ts';

/** The check may put something else in a function's place. */
const mocks = /\b(?:mock|patch|monkeypatch|setattr)\b/;

/** For each assertion of a helper's function that a check surely calls, a change with which it fails. */
export function spoilHelperOfPython(
  check: CheckWithTests,
  helper: HelperFile,
  { name, local }: CalledFunction,
  draw: Draw,
): Edit[] {
  const masked = maskTokens(check.content, tokensOfPython);
  const isDefined = new RegExp(
    `(?<![\\w.])(?:(?:def|class)\\s+${local}(?!\\w)|def\\s+\\w+\\s*\\([^)]*(?<!\\w)${local}(?!\\w)|${local}\\s*=(?!=))`,
  ).test(masked);
  if (isDefined || mocks.test(masked)) return [];
  const call = new RegExp(`^([ \\t]*)${local}\\(`, 'gm');
  const isCalled = findTests(masked)
    .filter((test) => check.tests.some((one) => one.name === test.name))
    .some((body) => surelyRunsAny(masked, body, call));
  if (!isCalled) return [];
  const source = { content: helper.content, masked: maskTokens(helper.content, tokensOfPython) };
  const [body, ...others] = findTests(source.masked, new RegExp(name));
  if (!body || others.length > 0 || !isPlain(source.masked, name)) return [];
  if (/(?<!\w)(?:yield|global|nonlocal)(?!\w)/.test(source.masked.slice(body.begin, body.end))) return [];
  return findAssertions(source, body, draw);
}

/** Whether the function of a name is one of the file itself, is called at once and is not wrapped. */
function isPlain(masked: string, name: string): boolean {
  const found = new RegExp(`^def\\s+${name}\\s*\\(`, 'm').exec(masked);
  const before = masked.slice(0, found?.index ?? 0).trimEnd();
  return found !== null && !/(?:^|\n)@[^\n]*$/.test(before);
}
