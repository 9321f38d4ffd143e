import type { Draw } from '../draw.ts';
import { subtracted } from '../other-difference.ts';
import { otherPattern, otherStringOf } from '../other-text.ts';
import { expectOther, hasLiteral } from '../other-value.ts';
import { type Edit, type Span, splitOutside } from '../source-text.ts';
import { readCall } from './javascript-code.ts';

/** Lets a condition ask for something else that is written out, in a way in which it surely does not hold; undefined if there is none. */
export function askForOther(content: string, masked: string, condition: Span, draw: Draw): Edit | undefined {
  const inside = masked.slice(0, condition.end);
  if (splitOutside(inside, condition.begin, /&&|\|\||\?|=>|\bin\b|\binstanceof\b/).length > 1) return undefined;
  const difference = subtracted(masked, condition, /Math\.abs/);
  if (difference) return expectOther(content, masked, difference, draw, { wrapping: ['', ''] });
  const operators = splitOutside(inside, condition.begin, /[<>!=]=*/);
  const [left, right, ...others] = splitOutside(inside, condition.begin, /===?/);
  const literal = [right, left].find((one) => one && hasLiteral(content, masked, one));
  if (literal && others.length === 0 && operators.length === 2)
    return expectOther(content, masked, literal, draw, { wrapping: ['', ''] });
  return operators.length === 1 ? otherArgument(content, masked, condition, draw) : undefined;
}

/** Another text or regular expression in a call that is the whole condition. */
function otherArgument(content: string, masked: string, { begin, end }: Span, draw: Draw): Edit | undefined {
  const text = masked.slice(begin, end);
  const searched = /\.(?:includes|startsWith|endsWith|has)\(\s*("+)\s*\)\s*$/.exec(text);
  if (searched) {
    const [whole, string = ''] = searched;
    const place = begin + searched.index + whole.indexOf(string);
    return otherFound(content, { begin: place, end: place + string.length }, draw);
  }
  const [start, lead = '', pattern = ''] = /^(\s*)(\/+)\.test\(/.exec(text) ?? [];
  if (start === undefined || text.slice(readCall(masked, begin + start.length).end - begin + 1).trim() !== '')
    return undefined;
  return otherFound(content, { begin: begin + lead.length, end: begin + lead.length + pattern.length }, draw);
}

/** Another text or regular expression than one that is searched for; undefined where it cannot be told that it is not found. */
export function otherFound(content: string, { begin, end }: Span, draw: Draw): Edit | undefined {
  const literal = content.slice(begin, end);
  const [, pattern, flags = ''] = /^\/(.+)\/([dgimsuy]*)$/s.exec(literal) ?? [];
  const text = pattern ? otherPattern(pattern, draw) : otherStringOf(literal, draw);
  if (text === undefined) return undefined;
  return { begin, end, text: pattern ? `/${text}/${flags}` : text };
}
