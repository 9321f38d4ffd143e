import { applyEdits, type Edit, type Span, wrap } from './source-text.ts';

/** A change of what a check expects, and what a runner shows of it where the check fails. */
export interface OtherValue {
  edit: Edit;
  mark: string;
}

/**
 * Lets a check expect another value. A number or a string stays one, so that work that reads what is expected, in the check's file or on the stack, finds
 * the other value there; anything else is wrapped.
 */
export function expectOther(
  content: string,
  masked: string,
  expected: Span,
  { number, wrapping }: { number: number; wrapping: [string, string] },
): OtherValue {
  const { begin, end, text } = wrap(content, masked, expected, ['', '']);
  const other = otherNumber(text, number) ?? otherString(text, masked.slice(begin, end), number);
  if (other) return { edit: { begin, end, text: other.text }, mark: other.mark };
  return { edit: wrap(content, masked, expected, wrapping), mark: String(number) };
}

function otherNumber(text: string, number: number): { text: string; mark: string } | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const sum = text.includes('.') ? String(Number(text) + number) : String(BigInt(text) + BigInt(number));
  return { text: sum, mark: sum };
}

function otherString(text: string, masked: string, number: number): { text: string; mark: string } | undefined {
  const [, quotes = ''] = /("""|'''|["'`])$/.exec(text) ?? [];
  if (!quotes || !/^[A-Za-z]{0,2}x+$/.test(masked)) return undefined;
  const place = text.length - quotes.length;
  return { text: applyEdits(text, [{ begin: place, end: place, text: String(number) }]), mark: String(number) };
}
