import { preview } from '../storable-text.ts';

/** A call of a tool as a person reads it: `pay(invoice: "A-17", amount: 3)`. Texts keep their quotes, so that none looks like another argument. */
export function describeToolCall(tool: string, given: unknown): string {
  const all = Object.entries(given ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `${tool}(${all.join(', ')})`;
}

/** What a person is asked to allow, cut to `most` characters; it says so, since what follows could be what matters. */
export function describeAsked(what: string, most: number): string {
  const shown = preview(what, most);
  return what.length <= most ? shown : `${shown} (this is the beginning of ${what.length} characters)`;
}
