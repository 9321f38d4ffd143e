/** A large count in few characters: `950`, `12.3k`, `4.6M`. */
export function formatCount(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 999_950) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** A count with its noun: `1 file`, `3 files`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** A count of tokens; `?` if unknown. */
export function formatTokens(value: number | null): string {
  return value === null ? '?' : formatCount(value);
}
