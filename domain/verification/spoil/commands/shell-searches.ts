import type { Draw } from '../draw.ts';
import { otherPattern, otherStringOf, otherText } from '../other-text.ts';
import type { Edit } from '../source-text.ts';

/** Makes the edit that lets a check of a script fail. */
export type Spoil = (draw: Draw) => Edit;

/** A `grep` for one pattern that is written out, whose success is that it is found. */
const search =
  /(?:^|\|[ \t]*)grep(?<flags>(?:[ \t]+-[qxFEiwsn]+)*)[ \t]+(?<pattern>'[^'\n]*'|"[^"$`\\\n]*"|\w[\w.,:/%+@=-]*)(?:[ \t]+[^-\s|][^\s|]*)*$/;

/** Lets a program that looks for something look for something else, where it surely finds none, or turns round what it says. */
export function searchOtherwise(content: string, begin: number, program: string): Spoil {
  return searchOther(content, begin, program) ?? (() => ({ begin, end: begin, text: '! ' }));
}

/** Lets a program that looks for something look for something else, where it surely finds none. */
export function searchOther(content: string, begin: number, program: string): Spoil | undefined {
  const found = search.exec(content.slice(begin, begin + program.length));
  const { pattern = '', flags = '' } = found?.groups ?? {};
  if (!found || otherOf(pattern, flags, () => 0) === undefined) return undefined;
  const place = begin + found.index + found[0].indexOf(pattern, 'grep'.length + flags.length);
  return (draw) => ({ begin: place, end: place + pattern.length, text: otherOf(pattern, flags, draw) ?? pattern });
}

function otherOf(pattern: string, flags: string, draw: Draw): string | undefined {
  const [, open = '', number, close = ''] = /^(["']?\^?-?)(\d{1,9})(\$?["']?)$/.exec(pattern) ?? [];
  if (number === undefined) {
    if (/^["']/.test(pattern)) return otherStringOf(pattern, draw, otherPattern);
    return otherStringOf(`"${pattern}"`, draw, otherPattern)?.slice(1, -1);
  }
  const isWholeLine = flags.includes('x') || (open.includes('^') && close.includes('$'));
  // Of more digits, since a list may have the numbers beside it.
  return isWholeLine ? `${open}${1 + draw(9)}${otherEnd(number, draw)}${close}` : undefined;
}

/** The number with another last digit. */
function otherEnd(number: string, draw: Draw): string {
  return number.slice(0, -1) + ((Number(number.at(-1)) + 1 + draw(9)) % 10);
}

interface Case {
  begin: number;
  spoil: Spoil;
}

/** Each `case` with one pattern that has a text, and an end of the script where there is none of it. The text becomes another one. */
export function findCases(content: string, masked: string, ender: string): Case[] {
  const form = new RegExp(
    String.raw`^[ \t]*case[ \t]+\S+[ \t]+in\s*\(?\*?(?<text>"+)\*?\)[^;()]*;;\s*\*\)(?:(?!;;|\besac\b)[^()])*(?<=[;{\s)])${ender}\s*(?:;;\s*)?esac[ \t]*$`,
    'gm',
  );
  return [...masked.matchAll(form)].flatMap((found) => {
    const text = found.groups?.text ?? '';
    const begin = found.index + found[0].indexOf(text, found[0].indexOf(' in') + 3);
    const literal = content.slice(begin, begin + text.length);
    if (/[$`\\]/.test(literal) || otherStringOf(literal, () => 0) === undefined) return [];
    const spoil: Spoil = (draw) => ({
      begin,
      end: begin + text.length,
      text: otherStringOf(literal, draw, otherText) ?? literal,
    });
    return [{ begin: found.index, spoil }];
  });
}
