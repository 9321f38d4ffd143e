import { type Span, splitOutside, tokensOfJavaScript, wrap } from '../source-text.ts';

/** The body of a function. */
export interface Body extends Span {
  isAsync: boolean;
  isExpression: boolean;
}

const nestedTemplate = /`(?:\\[\s\S]|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|(?!\$\{)[^`\\])*`/;
/** A slash after an operator or an opening bracket begins a regular expression. */
const regularExpression =
  /(?<=(?:[=(,:;!&|?{[]|=>|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/;
const tokens = new RegExp(`(${nestedTemplate.source})|${tokensOfJavaScript.source}|(${regularExpression.source})`, 'g');

/** The same text, of the same length, without what strings, regular expressions and comments say, and without commas between arguments of types. */
export function mask(content: string): string {
  const masked = content.replace(tokens, (token, template?: string, string?: string, expression?: string) =>
    ((template ?? string) !== undefined ? '"' : expression !== undefined ? '/' : ' ').repeat(token.length),
  );
  return masked.replace(/<[\w\s,.|&[\]<>"]*>(?=\(|\s*[),;\]])/g, (types) => types.replaceAll(',', ' '));
}

export function startsWithWord(masked: string, place: number, word: string): boolean {
  return masked.startsWith(word, place) && !/[\w$]/.test(masked[place + word.length] ?? '');
}

const parameters = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const type = '(?::[^={}();]*)?';
const head = new RegExp(
  String.raw`^\s*(async\s+)?(?:function\b[\s\w$]*${parameters}\s*${type}(?=\{)|(?:${parameters}\s*${type}|[\w$]+\s*)=>)\s*(\{)?`,
);

/** The body of the function that a text begins with at a place. */
export function bodyAt(masked: string, place: number): Body | undefined {
  const [whole, async, brace] = head.exec(masked.slice(place)) ?? [];
  if (whole === undefined) return undefined;
  const begin = place + whole.length;
  const end = splitOutside(masked, begin, brace ? /(?!)/ : /[,;]/)[0]?.end ?? masked.length;
  return { begin, end, isAsync: async !== undefined, isExpression: brace === undefined };
}

export function findFunctions(masked: string): Array<Body & { name: string }> {
  const names =
    /(?<![\w$.])(?:(?:(?:const|let|var)\s+|(?:module\.)?exports\.)(\w+)\s*=(?!=)|(?:async\s+)?function\s+(\w+))/g;
  return [...masked.matchAll(names)].flatMap(({ 0: whole, 1: variable, 2: name = variable ?? '', index }) => {
    const body = bodyAt(masked, variable ? index + whole.length : index);
    return body ? [{ name, ...body }] : [];
  });
}

/** The arguments of a call, and where its bracket closes. */
export function readCall(masked: string, begin: number): { args: Span[]; end: number } {
  const parts = splitOutside(masked, begin, /,/);
  const args = parts.map((part) => wrap(masked, masked, part, ['', ''])).filter(({ text }) => text !== '');
  return { args, end: parts.at(-1)?.end ?? begin };
}

/** The beginnings of loops, of which it is taken that they go round, and of what runs at the end of a `try`. */
const loops =
  /\bfinally\s*\{|\bfor\s*(?:await\s*)?@\s*\{|\.forEach\(\s*(?:function\b[\s\w$]*@\s*\{|(?:@|[\w$]+)\s*=>\s*\{?)/g;
const exits = /\b(?:return|break|continue|process\s*\.\s*exit)\b/;

/** Whether what begins at a place is a statement that runs whenever the body does, and that lets it fail. */
export function isCertain(
  masked: string,
  body: Body,
  { begin, isAsync }: { begin: number; isAsync: boolean },
  mayReturn: boolean,
): boolean {
  const collapsed = collapse(withoutTries(masked, body.begin, begin));
  const open = collapsed.replace(loops, ';');
  const [lead = ''] = /(?:\b(?:return|await)\s+)*$/.exec(open) ?? [];
  const earlier = open.slice(0, open.length - lead.length);
  if (/[({[]/.test(earlier) || exits.test(earlier) || !endsStatement(earlier)) return false;
  const isReturned = open === collapsed && (lead.includes('return') || (body.isExpression && earlier.trim() === ''));
  return !isAsync || lead.includes('await') || (mayReturn && isReturned);
}

/** The masked text before a place, without the beginnings of each `try` around it that catches nothing. */
function withoutTries(masked: string, begin: number, place: number): string {
  return masked.slice(begin, place).replace(/\btry\s*\{/g, (start, index: number) => {
    const { end } = readCall(masked, begin + index + start.length);
    const [after] = /^\}\s*finally\s*\{[^{}]*\}/.exec(masked.slice(end)) ?? [];
    return end >= place && after && !exits.test(after) ? `;${' '.repeat(start.length - 1)}` : start;
  });
}

/** Whether a body surely calls a function by its name, and waits for it. */
export function calls(masked: string, body: Body, { name, isAsync }: { name: string; isAsync: boolean }): boolean {
  const found = masked.slice(body.begin, body.end).matchAll(new RegExp(`(?<![\\w$.])${name}\\s*\\(`, 'g'));
  return [...found].some(({ index }) => isCertain(masked, body, { begin: body.begin + index, isAsync }, true));
}

const blocks =
  /(=>\s*|\bfunction\b[\s\w$]*@[^;@#]*?|\b(?!(?:if|for|while|switch|catch|with)\b)[\w$]+\s*@\s*)?(\b(?:for|while|switch)\s*@\s*)?\{([^()[\]{}]*)\}/g;

/** A masked text with a sign in place of each closed pair of brackets; of what they enclose, only what may end the function or the loop around stays. */
export function collapse(text: string): string {
  const collapsed = text
    .replace(/\([^()[\]{}]*\)/g, '@')
    .replace(/\[[^()[\]{}]*\]/g, '_')
    .replace(blocks, (_, ofFunction: string | undefined, ofLoop: string | undefined, inside: string) => {
      const [exit] = (ofLoop ? /\breturn\b|\bprocess\s*\.\s*exit\b/ : exits).exec(inside) ?? [];
      return `${ofFunction ?? ''}${ofLoop ?? ''}${exit && !ofFunction ? ` ${exit};` : ''}#`;
    });
  return collapsed === text ? text : collapse(collapsed);
}

/** Whether a new statement can follow a collapsed text, and runs if the text does. */
function endsStatement(text: string): boolean {
  const end = text.trimEnd();
  if (end === '' || /[;#]$|\bfor\s*@$/.test(end)) return true;
  const continues = /(?:[=(,?:&|+\-*/%<>!.]|\b(?:else|do|in|of|new|typeof|return|await)|\b(?:if|while|with)\s*@)$/;
  return text.slice(end.length).includes('\n') && !continues.test(end);
}
