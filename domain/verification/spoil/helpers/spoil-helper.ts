import { type Draw, drawOne } from '../draw.ts';
import { spoilHelperOfJavaScript } from '../javascript/spoil-helper-of-javascript.ts';
import { spoilHelperOfPython } from '../python/spoil-helper-of-python.ts';
import { applyEdits } from '../source-text.ts';
import type { CheckWithTests, HelperFile } from './helper-file.ts';

/** A helper with one function that fails; which the tests surely call. */
export interface SpoiledHelper {
  path: string;
  original: string;
  content: string;
  /** The function. */
  name: string;
}

/**
 * A helper of the checks in which an assertion fails of a function that one of their tests surely calls: so work that keeps the function from being used, or
 * changes it when it runs, passes all the same. It is drawn which. Undefined if none is known.
 */
export function spoilHelper(
  checks: readonly CheckWithTests[],
  helpers: readonly HelperFile[],
  draw: Draw,
): SpoiledHelper | undefined {
  const found = helpers.flatMap((helper) => {
    const spoil = helper.path.endsWith('.py') ? spoilHelperOfPython : spoilHelperOfJavaScript;
    return helper.uses.flatMap((called) => {
      const check = checks.find(({ path }) => path === called.check);
      return check ? spoil(check, helper, called, draw).map((edit) => ({ helper, edit, name: called.name })) : [];
    });
  });
  const chosen = drawOne(found, draw);
  if (!chosen) return undefined;
  const { helper, edit, name } = chosen;
  return { path: helper.path, original: helper.content, content: applyEdits(helper.content, [edit]), name };
}
