/**
 * Who a memory's words come from, the most trusted first: a person wrote them; an agent did; an agent did after it had read the output of made tools,
 * or pages, which may have told it what to write.
 */
export const memoryOrigins = ['person', 'agent', 'tool', 'page'] as const;
export type MemoryOrigin = (typeof memoryOrigins)[number];

/** The origin of what was made from several memories: that of the least trusted. */
export function leastTrusted(origins: readonly MemoryOrigin[]): MemoryOrigin {
  return memoryOrigins.findLast((origin) => origins.includes(origin)) ?? 'agent';
}

/** Whether a memory may take the place of another: what tools or pages may have said replaces nothing that a person or an agent wrote. */
export function mayReplace(
  by: { origin?: MemoryOrigin | undefined },
  other: { origin?: MemoryOrigin | undefined },
): boolean {
  return !isSecondHand(by) || isSecondHand(other);
}

/** Whether tools or pages may have said it. */
export function isSecondHand({ origin }: { origin?: MemoryOrigin | undefined }): boolean {
  return origin === 'tool' || origin === 'page';
}
