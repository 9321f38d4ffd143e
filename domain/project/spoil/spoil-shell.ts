import { applyEdits, maskTokens } from './source-text.ts';

const tokens = /('[^']*'|"(?:\\[\s\S]|[^"\\])*")|(?<!\S)#.*/g;

/** A comparison that is a statement of its own, and what it expects at its end. */
const comparison = /^(?:\[\[?|test)[ \t]+\S.*[ \t](?:=|==|-eq)[ \t]+\S+(?=(?:[ \t]+\]\]?)?[ \t]*$)/gm;

/**
 * Lets a shell script fail, and still run what it runs: a script that its first failing statement ends, or that ends with a comparison, compares with
 * something else; any other ends with 1. One that another program takes over fails at once.
 * @param number As for Python.
 */
export function spoilShell(content: string, number: number): string {
  const masked = maskTokens(content, tokens);
  if (/(?<!\S)exec[ \t]+[^\s<>&\d]/.test(masked)) return '#!/bin/sh\nexit 1\n';
  const places = [...masked.matchAll(comparison)].map((found) => found.index + found[0].length);
  const last = places.at(-1);
  const endsAtFailure = /^(?:#!.*|[ \t]*set)[ \t]+-[a-z]*e/m.test(content);
  if (last !== undefined && (endsAtFailure || /^[ \t\]]*\s*$/.test(masked.slice(last))))
    return applyEdits(
      content,
      places.map((place) => ({ begin: place, end: place, text: String(number) })),
    );
  const exits = [...masked.matchAll(/(?<![\w$-])exit(?:[ \t]+[^\s;&|)}]+)?(?![\w-])/g)].map((exit) => ({
    begin: exit.index,
    end: exit.index + exit[0].length,
    text: 'exit 1',
  }));
  return `${applyEdits(content, exits)}\nexit 1\n`;
}
