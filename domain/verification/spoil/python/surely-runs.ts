import type { Span } from '../source-text.ts';

export interface PythonBody extends Span {
  indent: string;
}

/**
 * Whether nothing keeps a statement of a body from being reached, and its failure from being seen: it is the body's own, or in loops, in contexts or in a `try`
 * that catches nothing, and nothing leaves the body before.
 */
export function surelyRuns(masked: string, body: PythonBody, place: number, indent: string): boolean {
  // An exit as failed is none that honest work comes to.
  const before = masked.slice(body.begin, place).replace(/(?:sys\.|os\._)exit\(\s*(?:[1-9"]|f")/g, 'f(');
  if (/(?<!\w)(?:\w*skip\w*|xfail|exit|_exit)(?!\w)/i.test(before)) return false;
  if (/(?<!\w)return(?!\w)/.test(withoutFunctions(before))) return false;
  const around = blocksAround(before, body.indent, indent);
  return around?.every((block) => passes(block, before, masked.slice(place))) ?? false;
}

/** Whether a statement of a body that a pattern finds surely runs; its first group is the indentation. */
export function surelyRunsAny(masked: string, body: PythonBody, statement: RegExp): boolean {
  return [...masked.slice(body.begin, body.end).matchAll(statement)].some(({ index, 1: indent = '' }) =>
    surelyRuns(masked, body, body.begin + index, indent),
  );
}

interface Block {
  /** Its first line. */
  head: string;
  indent: number;
}

/** The blocks of a body that the end of a text is in, if a statement begins there; undefined if it is not the body's. */
function blocksAround(before: string, indentOfBody: string, indent: string): Block[] | undefined {
  const blocks: Block[] = [];
  let inside = indent.length;
  for (const line of before.split('\n').toReversed()) {
    const own = indentOf(line);
    if (!line.trim() || own >= inside) continue;
    if (own < indentOfBody.length) break;
    blocks.push({ head: line.trim(), indent: own });
    inside = own;
  }
  return inside === indentOfBody.length ? blocks : undefined;
}

/** Whether what is in a block runs, and its failure leaves it. */
function passes({ head, indent }: Block, before: string, after: string): boolean {
  if (/^(?:async\s+)?for\s/.test(head)) return !/(?<!\w)(?:continue|break)(?!\w)/.test(before);
  if (/^(?:async\s+)?with\s/.test(head)) return !/raises|suppress/i.test(head);
  return /^finally\s*:$/.test(head) || (/^try\s*:$/.test(head) && endsInFinally(after, indent));
}

/** Whether what follows a `try` is a `finally` from which nothing returns. */
function endsInFinally(after: string, indent: number): boolean {
  const [, ...lines] = after.split('\n');
  const isOutside = (line: string) => line.trim() !== '' && indentOf(line) <= indent;
  const [head = '', ...rest] = lines.slice(lines.findIndex(isOutside));
  const end = rest.findIndex(isOutside);
  const body = end < 0 ? rest : rest.slice(0, end);
  return /^\s*finally\s*:/.test(head) && !/(?<!\w)(?:return|break|continue)(?!\w)/.test([head, ...body].join('\n'));
}

/** A text without the bodies of the functions that begin in it. */
function withoutFunctions(text: string): string {
  let outer = Number.POSITIVE_INFINITY;
  const kept = text.split('\n').filter((line) => {
    if (line.trim() && indentOf(line) <= outer) outer = Number.POSITIVE_INFINITY;
    if (outer < Number.POSITIVE_INFINITY) return false;
    if (/^\s*(?:async\s+)?def\s/.test(line)) outer = indentOf(line);
    return true;
  });
  return kept.join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
