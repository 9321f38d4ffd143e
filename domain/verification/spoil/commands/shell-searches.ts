import type { Draw } from '../draw.ts';
import { otherPattern, otherStringOf, otherText, otherWholeNumber } from '../other-text.ts';
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
  const change: typeof otherPattern = (text) =>
    (flags.includes('x') ? otherWholeNumber(text, draw) : undefined) ?? otherPattern(text, draw);
  return /^["']/.test(pattern) ? otherStringOf(pattern, draw, change) : change(pattern, draw);
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
