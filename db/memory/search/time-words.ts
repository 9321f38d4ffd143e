import { en, type ParsedComponents } from 'chrono-node';

export interface TimeRange {
  from: Date;
  /** The first moment after the range. */
  to: Date;
}

const day = 86_400_000;

const months =
  'jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?';
const weekdays = 'mon(day)?|tue(s|sday)?|wed(s|nesday)?|thu(r|rs|rsday)?|fri(day)?|sat(urday)?|sun(day)?';
const others = 'ago|now|tmr|hours?|hrs?|min(ute)?s?|sec(ond)?s?|last|past|next';

/**
 * Matches every question that chrono finds a time in. Others are not parsed, which would take longer than the search itself: digits within a word, as
 * in `sha256`, stand for no time, nor does `mar` in `market`.
 */
const hints = new RegExp(
  `\\b(\\d|(${months}|${weekdays}|${others})(?![a-z])|week|month|quarter|year|decade|tomorrow|recent)|day|night|morning|noon|evening`,
  'i',
);

/**
 * The time ranges that a question names, such as "last May", "in 2023", "yesterday" or "last week"; in English, in UTC. Memories are about the past:
 * a month or weekday without a year is the latest one that has begun.
 */
export function findTimes(question: string, now: Date): TimeRange[] {
  if (!hints.test(question)) return [];
  const named = question.replaceAll(/\blast (?=(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)/gi, 'in ');
  const found = en.casual.parse(named, { instant: now, timezone: 0 }).map(({ text, start, end }) => {
    const { from, to } = spanOf(start, text, now);
    return { from, to: end ? spanOf(end, text, now).to : to };
  });
  // chrono does not recognise a year on its own.
  const years = [...question.matchAll(/\b(?:in|of|during|year) ((?:19|20)\d\d)\b/gi)].map(([, year]) =>
    wholeYear(Number(year)),
  );
  return [...found, ...(found.length ? [] : years)].filter(({ from, to }) => from < to);
}

function spanOf(part: ParsedComponents, text: string, now: Date): TimeRange {
  const year = part.get('year') ?? now.getUTCFullYear();
  const month = (part.get('month') ?? 1) - 1;
  const date = new Date(Date.UTC(year, month, part.get('day') ?? 1));
  const hasBegun = (moment: Date) => moment <= now || part.isCertain('year');
  if (!part.isCertain('day') && !part.isCertain('weekday')) {
    if (!part.isCertain('month')) return wholeYear(year);
    const past = hasBegun(date) ? year : year - 1;
    return { from: new Date(Date.UTC(past, month, 1)), to: new Date(Date.UTC(past, month + 1, 1)) };
  }
  if (/\bweek\b/i.test(text)) {
    const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * day);
    return { from: monday, to: new Date(monday.getTime() + 7 * day) };
  }
  if (hasBegun(date)) return { from: date, to: new Date(date.getTime() + day) };
  const past = part.isCertain('day')
    ? new Date(Date.UTC(year - 1, month, date.getUTCDate()))
    : new Date(date.getTime() - 7 * day);
  return { from: past, to: new Date(past.getTime() + day) };
}

function wholeYear(year: number): TimeRange {
  return { from: new Date(Date.UTC(year, 0, 1)), to: new Date(Date.UTC(year + 1, 0, 1)) };
}
