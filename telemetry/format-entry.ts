/** An entry of the log as it is in JSON. */
export interface LogEntry {
  level: string;
  time: string;
  msg: string;
  error?: { stack?: string; message?: string } | string;
  [field: string]: unknown;
}

/** An entry for people: `02:15:20 WARN  The message  run=chat-a-r1`, and the stack of its error below. */
export function formatEntry({ level, time, msg, error, ...fields }: LogEntry): string {
  const about = Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`);
  const first = [`${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${msg}`, ...about].join('  ');
  if (error === undefined) return `${first}\n`;
  const whole = typeof error === 'object' ? (error.stack ?? error.message ?? JSON.stringify(error)) : String(error);
  return `${first}\n${whole.replace(/^/gm, '  ')}\n`;
}

function show(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value;
  return JSON.stringify(value);
}
