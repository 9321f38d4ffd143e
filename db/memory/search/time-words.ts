import { en, type ParsedComponents } from 'chrono-node';

export interface TimeRange {
  from: Date;
  /** The first moment after it. */
  to: Date;
}

/** The spans of time that a question names, such as "last May", "in 2023" or "yesterday"; in English, as seen from `now`, in UTC. */
export function findTimes(question: string, now: Date): TimeRange[] {
  const found = en.casual.parse(question, { instant: now, timezone: 0 }).map(({ start, end }) => ({
    from: beginOf(start),
    to: endOf(end ?? start),
  }));
  const years = [...question.matchAll(/\b(?:in|of|during|since|year) ((?:19|20)\d\d)\b/gi)]
    .filter(() => found.length === 0) // chrono knows no year that stands alone
    .map(([, year]) => ({ from: utc(Number(year), 0, 1), to: utc(Number(year) + 1, 0, 1) }));
  return [...found, ...years].filter(({ from, to }) => from < to);
}

function beginOf(part: ParsedComponents): Date {
  const { year, month, day } = partsOf(part);
  return utc(year, month, part.isCertain('day') || !part.isCertain('month') ? day : 1);
}

function endOf(part: ParsedComponents): Date {
  const { year, month, day } = partsOf(part);
  const wholeMonth = part.isCertain('month') && !part.isCertain('day') && !part.isCertain('weekday');
  return wholeMonth ? utc(year, month + 1, 1) : utc(year, month, day + 1);
}

function partsOf(part: ParsedComponents) {
  return { year: part.get('year') ?? 0, month: (part.get('month') ?? 1) - 1, day: part.get('day') ?? 1 };
}

function utc(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month, day));
}
