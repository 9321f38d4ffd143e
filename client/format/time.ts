/** The time of day, local, as the lines of a log begin with. */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString('en-GB');
}

/** A moment for tables and reports: `2026-03-01 14:05`, local. */
export function formatMoment(date: Date): string {
  return date.toLocaleString('sv-SE').slice(0, 16);
}
