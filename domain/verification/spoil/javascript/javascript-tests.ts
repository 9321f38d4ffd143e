import { type Body, bodyAt, collapse, readCall } from './javascript-code.ts';

const testCalls = /(?<![\w$.])[xf]?(?:test|it)(?:\.(?:concurrent|only|serial|skip))*(\.each(?:<[^()]*>)?)?("*)\(/g;

export interface Test extends Body {
  name: string;
  /** It may not run. */
  isConditional: boolean;
}

/** The tests with a title and a function. */
export function findTests(content: string, masked: string, functions: Array<Body & { name: string }>): Test[] {
  let endOfLast = 0;
  return [...masked.matchAll(testCalls)].flatMap((call) => {
    if (call.index < endOfLast) return []; // in a test
    const [whole, each, table] = call;
    const place = call.index + whole.length;
    const { args, end } = readCall(
      masked,
      each && !table ? masked.indexOf('(', readCall(masked, place).end) + 1 : place,
    );
    const [title, ...others] = args;
    const bodies = others.map(
      (one) => bodyAt(masked, one.begin) ?? functions.find(({ name }) => name === masked.slice(one.begin, one.end)),
    );
    const body = bodies.find((one) => one !== undefined);
    if (!title || !body) return [];
    endOfLast = end;
    const isConditional = /^x|\.skip/.test(whole) || conditions.test(collapse(masked.slice(0, call.index)));
    return [{ ...body, name: plain(content.slice(title.begin, title.end)), isConditional }];
  });
}

/** A title as a runner shows it, if it is written out. */
function plain(title: string): string {
  const [, , text] = /^(['"`])([\s\S]*)\1$/.exec(title) ?? [];
  return text?.replace(/\\(.)/g, '$1') ?? title;
}

/** What a collapsed text has before something that may not run. */
const conditions =
  /\b(?:if\s*@|else|switch\s*@|catch\s*@?|while\s*@)\s*(?:\{|$)|\b(?:return|process\s*\.\s*exit)\b|[?:&|]\s*$/;
