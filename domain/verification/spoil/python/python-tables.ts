import { type Draw, drawOne } from '../draw.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';
import { expectOtherOf, isGiven, type PythonSource, textOf } from './other-python-value.ts';
import type { PythonBody } from './surely-runs.ts';

/** Where a table of written out rows begins, and the names that the values of a row get. */
interface Table {
  names: string[];
  /** Behind its opening bracket. */
  begin: number;
}

/**
 * Lets a row of the table that a name of an assertion comes from have another value: a table of a loop around the assertion, or of `parametrize`. Undefined where
 * the row may not be run, or where the body uses the name for something else as well, so that the other value may be right.
 */
export function expectOfTable(
  source: PythonSource,
  body: PythonBody,
  place: Span,
  expected: Span,
  draw: Draw,
): Edit | undefined {
  const { masked } = source;
  const name = textOf(masked, expected);
  if (!/^[a-z_]\w*$/.test(name)) return undefined;
  const uses = masked.slice(body.begin, body.end).match(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g')) ?? [];
  const loop = uses.length === 2 ? loopAround(masked, body, place) : undefined;
  const table = loop ?? (uses.length === 1 && !source.picksTests ? parametersOf(source, body) : undefined);
  const index = table?.names.indexOf(name) ?? -1;
  if (!table || table.names.length < 2 || index < 0) return undefined;
  const cells = splitOutside(masked, table.begin, /,/)
    .filter((row) => /^[([]/.test(textOf(masked, row)))
    .map((row) => splitOutside(masked, masked.slice(row.begin).search(/[([]/) + row.begin + 1, /,/))
    .filter((row) => row.filter((one) => textOf(masked, one)).length === table.names.length)
    .flatMap((row) => row[index] ?? [])
    .filter((cell) => isGiven(source, cell));
  const chosen = drawOne(cells, draw);
  return chosen && expectOtherOf(source, chosen, draw);
}

/** The loop that a statement is directly in, if all its rounds are run. */
function loopAround(masked: string, body: PythonBody, { begin }: Span): Table | undefined {
  if (/(?<!\w)(?:break|return|continue)(?!\w)/.test(masked.slice(body.begin, body.end))) return undefined;
  const headers = masked.slice(body.begin, begin).matchAll(/^([ \t]*)for[ \t]+\(?([\w \t,]+?)\)?[ \t]+in[ \t]+[[(]/gm);
  for (const { 0: whole, 1: indent = '', 2: names = '', index } of headers) {
    const start = body.begin + index + whole.length;
    const closing = splitOutside(masked, start, /(?!)/)[0]?.end ?? begin;
    const inside = new RegExp(`^[\\])][ \\t]*:[ \\t]*\\n(?:${indent}[ \\t]+[^\\n]*\\n|[ \\t]*\\n)*$`);
    const isIn = inside.test(masked.slice(closing, begin)) && masked.slice(begin).search(/\S/) > indent.length;
    if (isIn) return { names: splitNames(names), begin: start };
  }
  return undefined;
}

/** The table directly above a test. */
function parametersOf({ content, masked }: PythonSource, body: PythonBody): Table | undefined {
  const decorators = content
    .slice(0, body.begin)
    .matchAll(/^[ \t]*@pytest\.mark\.parametrize\(\s*(["'])([\w\s,]+)\1\s*,\s*[[(]/gm);
  const last = [...decorators].at(-1);
  if (!last) return undefined;
  const begin = last.index + last[0].length;
  const closing = splitOutside(masked, begin, /(?!)/)[0]?.end ?? body.begin;
  const isAbove = /^[\])]\s*,?\s*\)\s*(?:async\s+)?def\s+\w+\s*\([^()]*\)[^\n:]*:\s*$/.test(
    masked.slice(closing, body.begin),
  );
  return isAbove ? { names: splitNames(last[2] ?? ''), begin } : undefined;
}

function splitNames(names: string): string[] {
  return names.split(',').map((name) => name.trim());
}
