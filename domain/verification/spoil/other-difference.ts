import { type Span, splitOutside } from './source-text.ts';

/** The number whose distance to a value a condition says to be below a half: `abs(add(1, 2) - 3) < 1e-9`. Any other of another whole part is further away. */
export function subtracted(masked: string, condition: Span, absolute: RegExp): Span | undefined {
  const text = masked.slice(condition.begin, condition.end);
  const form = new RegExp(
    String.raw`^(\s*(?:${absolute.source})\()(.*[\w)\]](?<![\d.]e)\s*-\s*)(\d{1,6}(?:\.\d*)?|\.\d+)\s*\)\s*<=?\s*(?:0?\.[0-4]\d*|\d(?:\.\d*)?e-(?:[2-9]|[1-9]\d))\s*$`,
  );
  const [, start, before = '', number = ''] = form.exec(text) ?? [];
  if (start === undefined) return undefined;
  const from = condition.begin + start.length;
  const begin = from + before.length;
  const end = begin + number.length;
  const closing = splitOutside(masked, from, /(?!)/)[0]?.end ?? from;
  return masked.slice(end, closing).trim() === '' && closing >= end ? { begin, end } : undefined;
}
