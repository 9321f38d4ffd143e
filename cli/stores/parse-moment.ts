import { InvalidArgumentError } from 'commander';

const dayMs = 24 * 60 * 60_000;

/** The beginning of a day (`2026-03-01`, UTC), or so many days ago (`90d`). */
export function parseMoment(text: string): Date {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return new Date(Date.now() - Number(days) * dayMs);
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return new Date(time);
  throw new InvalidArgumentError('Expected a day such as 2026-03-01, or an age in days such as 90d.');
}
