import type { ParsedComponents } from 'chrono-node';
import * as en from 'chrono-node/en';

export interface TimeRange {
  from: Date;
  /** The first moment after the range. */
  to: Date;
}

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

const units = '(?:second|sec|minute|min|hour|hr|day|week|month|quarter|year)';

/** Spans up to now: "last 30 days" and "past week", but not "last week", which is the one before this. */
const untilNow = new RegExp(`^(?:last\\b.*\\b${units}s|past\\b.*\\b${units}s?)$`, 'i');

/** Precedes the start of a span that ends now. */
const since = /\bsince (?:(?:the|in|on|early|late) )*$/i;

const yearsAlone =
  /\b(?:in|of|during|year|since|between|from) ((?:19|20)\d\d)\b(?: (?:and|to|until) ((?:19|20)\d\d)\b)?/gi;

/**
 * The time ranges that a question names, such as "last May", "in 2023", "yesterday", "last week", "the last 30 days" or "since Monday". In
 * English and UTC. Memories are about the past: a month or weekday without a year is the latest one that has begun.
 */
export function findTimes(question: string, now: Date): TimeRange[] {
  if (!hints.test(question)) return [];
  const tomorrow = move(startOf('day', now), lengths.day);
  const named = inWordsOfChrono(question);
  const found = en.casual.parse(named, { instant: now, timezone: 0 }).flatMap(({ index, text, start, end }) => {
    if (untilNow.test(text)) {
      return { from: start.isCertain('hour') ? start.date() : startOf('day', start.date()), to: tomorrow };
    }
    const [first = text, last = first] = text.split(/ (?:to|until|till|through) /i);
    const ending = end ? spanOf(end, last, now, now) : undefined;
    const span = spanOf(start, first, now, ending?.from ?? now);
    if (!span) return [];
    return { from: span.from, to: since.test(named.slice(0, index)) ? tomorrow : (ending ?? span).to };
  });
  // chrono does not recognise a year on its own.
  const years = [...question.matchAll(yearsAlone)].map(([text, first, last = first]) => ({
    from: new Date(Date.UTC(Number(first), 0)),
    to: /^since/i.test(text) ? tomorrow : new Date(Date.UTC(Number(last) + 1, 0)),
  }));
  return [...found, ...(found.length ? [] : years)].filter(({ from, to }) => from < to);
}

/** Replaces what chrono does not understand by what it does: "previous", "last May", "since May", "between March and May". */
function inWordsOfChrono(question: string): string {
  return question
    .replaceAll(/\bprevious\b/gi, 'last')
    .replaceAll(/\blast (?=(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)/gi, 'in ')
    .replaceAll(/\bsince (?=may\b)/gi, 'since in ')
    .replaceAll(/\b(?:between|from) (\S+(?: \S+){0,3}?) (?:and|to|until|till) (?:the )?/gi, '$1 to ');
}

const lengths = {
  day: { days: 1 },
  weekend: { days: 2 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
} satisfies Record<string, Length>;

interface Length {
  months?: number;
  days?: number;
}

/** Undefined for a time of day, which may be any day's, unless it is "this morning". */
function unitOf(part: ParsedComponents, text: string): keyof typeof lengths | undefined {
  for (const unit of ['weekend', 'week', 'quarter'] as const)
    if (new RegExp(`\\b${unit}\\b`, 'i').test(text)) return unit;
  if (part.isCertain('day') || part.isCertain('weekday')) return 'day';
  if (part.isCertain('month')) return 'month';
  if (part.isCertain('year')) return 'year';
  return /^this\b/i.test(text) ? 'day' : undefined;
}

/** The span that a time names; without a year, the latest one that begins by `latest`. */
function spanOf(part: ParsedComponents, text: string, now: Date, latest: Date): TimeRange | undefined {
  const unit = unitOf(part, text);
  if (!unit) return undefined;
  const [year, month, dayOfMonth] = [part.get('year'), part.get('month'), unit === 'month' ? 1 : part.get('day')];
  const named = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, dayOfMonth ?? 1));
  const isThisWeek = unit === 'week' && !part.isCertain('day'); // chrono's weeks begin on Sunday
  let from = startOf(unit, isThisWeek ? now : named);
  const recurs = part.isCertain('day') || part.isCertain('month') ? { months: -12 } : { days: -7 };
  while (from > latest && !part.isCertain('year')) from = move(from, recurs);
  return { from, to: move(from, lengths[unit]) };
}

function startOf(unit: keyof typeof lengths, date: Date): Date {
  const [year, month, weekday] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDay()];
  if (unit === 'year') return new Date(Date.UTC(year, 0));
  if (unit === 'quarter') return new Date(Date.UTC(year, month - (month % 3)));
  if (unit === 'month') return new Date(Date.UTC(year, month));
  const daysSince = { day: 0, weekend: (weekday + 1) % 7, week: (weekday + 6) % 7 }[unit];
  return new Date(Date.UTC(year, month, date.getUTCDate() - daysSince));
}

function move(date: Date, { months = 0, days = 0 }: Length): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate() + days));
}
