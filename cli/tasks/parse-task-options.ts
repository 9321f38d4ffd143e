import { InvalidArgumentError } from 'commander';

/** A day as `2026-03-01`. */
export function parseDay(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('Expected a day such as 2026-03-01.');
}

/** Numbers of tasks, as `1,2` or `1 2`. */
export function parseNumbers(text: string): number[] {
  const numbers = text.trim().split(/[\s,]+/);
  if (numbers.every((number) => /^[1-9]\d{0,8}$/.test(number))) return [...new Set(numbers.map(Number))];
  throw new InvalidArgumentError('Expected numbers of tasks, such as 1,2.');
}

export function parsePriority(text: string): number {
  if (/^([1-9]|10)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 1 to 10 (10 is the most urgent).');
}

export function parseTitle(text: string): string {
  const title = text.trim();
  if (title.length >= 1 && title.length <= 200) return title;
  throw new InvalidArgumentError(`Expected 1 to 200 characters, got ${title.length}.`);
}
