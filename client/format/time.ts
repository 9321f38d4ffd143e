/** The local time of day, as shown at the start of log lines. */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString('en-GB');
}

/** A local date and time for tables and reports: `2026-03-01 14:05`. */
export function formatMoment(date: Date): string {
  return date.toLocaleString('sv-SE').slice(0, 16);
}
