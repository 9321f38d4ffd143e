/** A message that waited less than this many milliseconds gets no remark about it. */
const shortWait = 5 * 60_000;

/** A moment as models read it, e.g. `Sun 2026-11-22 14:05 Europe/Berlin`; in the worker's time zone if none is given. */
export function formatMoment(moment: Date, timeZone?: string): string {
  const { minute, zone } = partsOf(moment, timeZone);
  return `${minute} ${zone}`;
}

/** Gives a chat's agent the time, and the time of the message if it waited: the person's "tomorrow" counts from then. */
export function describeNow(saidAt: Date, now = new Date(), timeZone?: string): string {
  const waited = now.getTime() - saidAt.getTime() > shortWait;
  const said = waited ? `; this was said ${partsOf(saidAt, timeZone).minute}` : '';
  return `[It is ${formatMoment(now, timeZone)}${said}.]`;
}

function partsOf(moment: Date, timeZone: string | undefined): { minute: string; zone: string } {
  const format = new Intl.DateTimeFormat('en', {
    ...{ weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'longOffset', timeZone },
  });
  const part = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => part.get(type) ?? '';
  const named: string | undefined = format.resolvedOptions().timeZone; // undefined if `TZ` names an unknown zone
  return {
    minute: `${of('weekday')} ${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`,
    zone: named === undefined || named === 'Etc/Unknown' ? of('timeZoneName') : named,
  };
}
