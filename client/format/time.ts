/** A span of milliseconds for a person: `0.4 s`, `42 s`, `3 min 07 s`, `2 h 05 min`, `3 d 04 h`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** How long something took, or has taken so far. */
export function formatElapsed(from: Date, to: Date | null, now = Date.now()): string {
  return formatDuration(Math.max(0, (to?.getTime() ?? now) - from.getTime()));
}

/** The local time of day, as shown at the start of log lines. */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString('en-GB');
}

/** A local date and time for tables and reports: `2026-03-01 14:05`. */
export function formatMoment(date: Date): string {
  return date.toLocaleString('sv-SE').slice(0, 16);
}
