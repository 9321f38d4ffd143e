/** What can be named: most have an id alone. */
export interface Named {
  id: string;
  name?: string;
}

/**
 * Those that a reference names: by the id, else by the name, else by the start of the id, each with or without `prefix`, with which the ids begin.
 * Several if the reference is ambiguous.
 */
export function matchReference<One extends Named>(all: readonly One[], reference: string, prefix = ''): One[] {
  if (!reference.trim()) return [];
  const whole = [reference, `${prefix}${reference}`];
  const ways: Array<(one: One) => boolean> = [
    ({ id }) => whole.includes(id),
    ({ name }) => name === reference,
    ({ id }) => whole.some((start) => id.startsWith(start)),
  ];
  return ways.map((way) => all.filter(way)).find((found) => found.length > 0) ?? [];
}

/** Says that a reference names several: `"s3" matches 2 runs: s3-plan, s3-work. Use an id.` */
export function describeAmbiguous(reference: string, what: string, ids: readonly string[]): string {
  return `"${reference}" matches ${ids.length} ${what}: ${ids.slice(0, 10).join(', ')}. Use an id.`;
}
