import { type Draw, drawOne, inAnyOrder } from '../draw.ts';
import { alsoInMessage, expectOther, othersLike } from '../other-value.ts';
import { applyEach, applyEdits, type Edit, maskTokens, type Span, splitOutside } from '../source-text.ts';
import { maxAlone, type SpoiledCheck } from '../spoiled-check.ts';
import { spoilInlineCode } from './inline-code.ts';
import { findCases, type Spoil, searchOther, searchOtherwise } from './shell-searches.ts';

const tokens = /('[^']*'|"(?:\\[\s\S]|[^"\\])*")|(?<!\S)#.*/g;

/**
 * Lets a shell script fail, and still run what it runs: one of its comparisons, whose failure ends it with another code than 0, expects something else. A
 * script without one ends with 1. One that another program takes over fails at once.
 */
export function spoilShell(content: string, draw: Draw): SpoiledCheck {
  const masked = maskTokens(content, tokens);
  if (/(?<!\S)exec[ \t]+[^\s<>&\d]/.test(masked)) return { content: '#!/bin/sh\nexit 1\n', tests: [] };
  const checks = findChecks(content, masked);
  const found = checks.length ? checks.map((spoil) => spoil(draw)) : findInlineCode(content, masked, draw);
  const [edit, ...others] = inAnyOrder(found, draw).slice(0, maxAlone);
  if (!edit) return { content: endWithFailure(content, masked), tests: [] };
  const [spoiled, ...further] = applyEach(content, [edit, ...others]);
  return { content: spoiled, tests: [], further };
}

/**
 * A command that compares, as `make && [ "$(./f 2)" = 4 ]` or `if [ "$(./f 2)" != 4 ]; then exit 1; fi`, and expects something else; also in `sh -c '...'`. Undefined if
 * that would not have to fail it.
 */
export function spoilLastComparison(command: string, draw: Draw): string | undefined {
  const [, shell, inner] = /^(\s*(?:\/bin\/)?(?:ba|da)?sh\s+-[a-z]*c\s+)'([^']*)'\s*$/.exec(command) ?? [];
  if (shell !== undefined && inner !== undefined) {
    const spoiled = spoilLastComparison(inner, draw);
    return spoiled === undefined || spoiled.includes("'") ? undefined : `${shell}'${spoiled}'`;
  }
  const masked = maskTokens(command, tokens);
  const whole = drawOne(findChecks(command, masked), draw);
  if (whole) return applyEdits(command, [whole(draw)]);
  const { begin } = splitOutside(masked, 0, /&&|;|\n/).at(-1) ?? { begin: 0 };
  const [head, tail] = [command.slice(0, begin), command.slice(begin)];
  if (endsOtherwise(command, masked) || mayEndWell(masked.slice(0, begin))) return undefined;
  const chosen = drawOne(findChecks(tail, masked.slice(begin)), draw);
  return chosen && `${head}${applyEdits(tail, [chosen(draw)])}`;
}

/** A script that ends with 1 wherever it ends, unless the work answers for `exit`. */
function endWithFailure(content: string, masked: string): string {
  const exits = [...masked.matchAll(/(?<![\w$-])exit(?:[ \t]+[^\s;&|)}]+)?(?![\w-])/g)].map((exit) => ({
    begin: exit.index,
    end: exit.index + exit[0].length,
    text: 'exit 1',
  }));
  return `${applyEdits(content, exits)}\nexit 1\n`;
}

const comparing = String.raw`(?:\[\[?[ \t]+(?<inner>[^\n;&|]+?)[ \t]+\]\]?|test[ \t]+(?<words>[^\n;&|]+?))(?=[ \t]*(?:$|[\n;&|]))`;
const statement = new RegExp(
  String.raw`^[ \t]*(?:${comparing}|(?<program>(?:[^\n;&|]+\|[ \t]*)*(?:diff|cmp|grep)[ \t][^\n;&|]*?))(?<tail>[ \t]*(?:[;&|].*)?)$`,
  'gm',
);
/** What a condition leads to. */
const consequence = String.raw`[ \t]*[;\n]\s*then\b(?<body>(?:(?!\b(?:if|for|while|until|case|fi|else|elif)\b)[\s\S])*)\b(?:fi|else|elif)\b`;
const condition = new RegExp(String.raw`^[ \t]*if[ \t]+(?<not>![ \t]+)?${comparing}${consequence}`, 'gm');

const bracket = String.raw`\[\[?[ \t]+[^\n;&|]+?[ \t]+\]\]?`;
/** Conditions of which any leads to it, or a search that finds nothing. */
const anyOrSearch = new RegExp(
  String.raw`^[ \t]*if[ \t]+(?:(?<any>${bracket}(?:[ \t]*\|\|[ \t]*${bracket})+)|![ \t]+(?<program>(?:[^\n;&|]+\|[ \t]*)*grep[ \t][^\n;&|]*?))${consequence}`,
  'gm',
);

/** The checks of a script that are certain to run, and whose failure is certain to end it with another code than 0. */
function findChecks(content: string, masked: string): Spoil[] {
  if (endsOtherwise(content, masked)) return [];
  const ender = enders(masked);
  const fails = new RegExp(String.raw`(?:^|[;\n{(]|\bthen)\s*${ender}`);
  const isRun = (place: number) => isOutside(masked.slice(0, place)) && !mayEndWell(masked.slice(0, place));
  const statements = [...masked.matchAll(statement)].flatMap((found): Spoil[] => {
    const { inner, words, program, tail = '' } = found.groups ?? {};
    const [whole] = found;
    if (!isRun(found.index) || /[\\&|]\s*$/.test(whole) || /[\\&|][ \t]*\n$/.test(masked.slice(0, found.index)))
      return [];
    const rest = masked.slice(found.index + whole.length - tail.length);
    const isLast = masked.slice(found.index + whole.length).trim() === '';
    const ends = new RegExp(
      String.raw`^[ \t]*(?:&&[^|&;\n]*)?\|\|[ \t]*(?:${ender}|exit[ \t]*;?[ \t]*(?:\n|$)|\{(?:(?![{}]|&&|\|\||\b(?:if|for|while|case)\b)[\s\S])*(?<=[;{\s])${ender}\s*;?\s*\})`,
    ).test(rest);
    const isOwn = /^[ \t]*;?[ \t]*$/.test(tail);
    const isChain = /^(?:[ \t]*&&[^|&;]+)+;?[ \t]*$/.test(tail);
    const isBySet = isOwn && exitsAtFailure(masked.slice(0, found.index));
    const begin = found.index + (/^[ \t]*/.exec(whole)?.[0].length ?? 0);
    if (program !== undefined) return ends || (isLast && isOwn) ? [searchOtherwise(content, begin, program)] : [];
    if (!ends && !isBySet && !(isLast && (isOwn || isChain))) return [];
    return toSpoil(content, masked, spanOf(found, inner ?? words ?? '', begin), true);
  });
  const conditions = [...masked.matchAll(condition)].flatMap((found): Spoil[] => {
    const { inner, words, not, body = '' } = found.groups ?? {};
    if (!isRun(found.index) || !fails.test(body)) return [];
    return toSpoil(
      content,
      masked,
      spanOf(found, inner ?? words ?? '', found.index + found[0].indexOf('if')),
      not !== undefined,
    );
  });
  const others = [...masked.matchAll(anyOrSearch)].flatMap((found): Spoil[] => {
    const { any, program, body = '' } = found.groups ?? {};
    if (!isRun(found.index) || !fails.test(body)) return [];
    const begin = found.index + found[0].indexOf(any ?? program ?? '', found[0].indexOf('if') + 2);
    if (any === undefined) return [searchOther(content, begin, program ?? '') ?? []].flat();
    return [...any.matchAll(new RegExp(bracket, 'g'))].flatMap(({ 0: part, index }) => {
      const inner = part.replace(/^\[\[?[ \t]+|[ \t]+\]\]?$/g, '');
      const from = begin + index + part.indexOf(inner, part.search(/[ \t]/));
      return toSpoil(content, masked, { begin: from, end: from + inner.length }, false);
    });
  });
  return [
    ...statements,
    ...conditions,
    ...others,
    ...findCases(content, masked, ender)
      .filter(({ begin }) => isRun(begin))
      .map(({ spoil }) => spoil),
  ];
}

/** Code given to an interpreter, whose failure is certain to end the script with another code than 0. */
function findInlineCode(content: string, masked: string, draw: Draw): Edit[] {
  if (endsOtherwise(content, masked)) return [];
  return spoilInlineCode(content, draw).filter(({ begin, end }) => {
    const before = masked.slice(0, content.lastIndexOf('\n', begin) + 1);
    const isLast = content.slice(end + 1).trim() === '';
    return isOutside(before) && !mayEndWell(before) && (isLast || exitsAtFailure(before));
  });
}

/** What is in a here-document is no statement; what a trap does at the end may exit with another code. */
function endsOtherwise(content: string, masked: string): boolean {
  return /<<-?[ \t]*["'\\\w]/.test(masked) || /\btrap\b.*\bexit\b/.test(content);
}

/** What ends a script with another code than 0: `exit` with one, or a function of the script that does so. */
function enders(masked: string): string {
  const exit = String.raw`exit[ \t]+0*[1-9]\d*(?!\S*[$\w])`;
  const functions = [
    ...masked.matchAll(
      new RegExp(String.raw`^[ \t]*(?:function[ \t]+)?(\w+)[ \t]*\(\)\s*\{[^{}]*[;\s]${exit}\s*;?\s*\}`, 'gm'),
    ),
  ];
  const names = functions.flatMap(([, name = '']) => name);
  return `(?:${[exit, ...names.map((name) => `${name}(?![\\w-])`)].join('|')})`;
}

function exitsAtFailure(before: string): boolean {
  return /^[ \t]*set[ \t]+(?:-[a-z]*e|-o[ \t]+errexit)/m.test(before) && !/\bset[ \t]+\+/.test(before);
}

/** Whether the text before a place may end the script with 0. */
function mayEndWell(before: string): boolean {
  const exits =
    /(?<!\|\|[ \t]*)(?<![\w$-])exit(?![ \t]+0*[1-9])(?=[\s;&|)}]|$)|(?<![\w$-])exit[ \t]+(?!0*[1-9])[^\s;&|)}]/;
  return exits.test(before);
}

/** Whether the end of a text is in no block, function or substitution. */
function isOutside(before: string): boolean {
  const count = (words: RegExp) => before.match(words)?.length ?? 0;
  const word = (words: string) => new RegExp(String.raw`(?<![\w$./-])(?:${words})(?![\w./=-])`, 'g');
  return (
    count(word('if|case|do|select')) === count(word('fi|esac|done')) &&
    count(/\{/g) === count(/\}/g) &&
    count(/\(/g) === count(/\)/g)
  );
}

function spanOf(found: RegExpExecArray, inner: string, from: number): Span {
  const begin = found.index + found[0].indexOf(inner, from - found.index + 2);
  return { begin, end: begin + inner.length };
}

const turned: Record<string, string> = {
  '=': '!=',
  '==': '!=',
  '!=': '=',
  '-eq': '-ne',
  '-ne': '-eq',
  '-lt': '-ge',
  '-ge': '-lt',
  '-gt': '-le',
  '-le': '-gt',
};

/** Lets what is between the brackets of a comparison be false, or true where it has to be false. */
function toSpoil(content: string, masked: string, { begin, end }: Span, mustHold: boolean): Spoil[] {
  const inner = masked.slice(begin, end);
  if (/(?:^|\s)(?:-a|-o|\(|\))(?=\s|$)/.test(inner)) return [];
  const unary = /^(?:-[a-zA-Z])[ \t]+\S+$/.test(inner);
  if (unary) return [() => ({ begin, end: begin, text: '! ' })];
  const parts =
    /^(?<not>![ \t]+)?(?<left>\S.*?)[ \t]+(?<operator>==?|!=|-(?:eq|ne|lt|le|gt|ge))[ \t]+(?<right>\S+)$/.exec(inner);
  const { not, left = '', operator = '', right = '' } = parts?.groups ?? {};
  if (!parts) return [];
  const holds = mustHold === (not === undefined);
  const compares = holds ? /^(==?|-eq)$/ : /^(!=|-ne)$/;
  const rightSpan = { begin: end - right.length, end };
  const leftBegin = begin + (not?.length ?? 0);
  const leftSpan = { begin: leftBegin, end: leftBegin + left.length };
  const sides = compares.test(operator) ? [rightSpan, leftSpan] : [];
  const literal = sides.find((side) => isLiteral(content.slice(side.begin, side.end), operator));
  if (literal)
    return [
      (draw) => {
        const word = content.slice(literal.begin, literal.end);
        const known = drawOne(
          othersLike(asString(word), () => comparedIn(content).map(asString)),
          draw,
        );
        const text = known !== undefined && draw(4) > 0 ? known : otherWord(word, draw);
        return alsoInMessage(content, masked, { ...literal, text });
      },
    ];
  const place = begin + inner.lastIndexOf(operator, inner.length - right.length - 1);
  return [() => ({ begin: place, end: place + operator.length, text: turned[operator] ?? operator })];
}

/** Whether a word stands for itself. */
function isLiteral(word: string, operator: string): boolean {
  const [, text] = /^(?:'([^']*)'|"([^"$`\\]*)"|[\w.,:/%+@-]+)$/.exec(word)
    ? ['', word.replace(/^["']|["']$/g, '')]
    : [];
  return text !== undefined && (!operator.startsWith('-') || /^-?\d+$/.test(text));
}

function asString(word: string): string {
  return /^-?\d$/.test(word) ? word : `"${word.replace(/^["']|["']$/g, '')}"`;
}

/** What a script compares with. */
function comparedIn(content: string): string[] {
  const compared = /[ \t](?:==?|-eq)[ \t]+("[^"\n]*"|'[^'\n]*'|\w+)(?=[ \t]*(?:$|[\];&|]))/gm;
  return [...content.matchAll(compared)].flatMap(([, word = '']) => word);
}

/** A word with another letter or digit. */
function otherWord(word: string, draw: Draw): string {
  const [, quote = '', text = ''] = /^(["']?)([\s\S]*)\1$/.exec(word) ?? [];
  const quoted = `"${text.replace(/[\\"]/g, ' ')}"`;
  const whole = { begin: 0, end: quoted.length };
  const other = applyEdits(quoted, [
    expectOther(quoted, '"'.repeat(quoted.length), whole, draw, { wrapping: ['', ''] }),
  ]);
  const changed = text
    .split('')
    .map((character, index) => (/[\\"]/.test(character) ? character : other[index + 1]))
    .join('');
  return `${quote}${changed}${other.slice(text.length + 1, -1)}${quote}`;
}
