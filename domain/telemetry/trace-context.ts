/** A place in a trace, as W3C's trace context has it: ids of 32 and 16 hexadecimal digits. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  /** Whether its spans are recorded. */
  sampled: boolean;
}

/** The header of Temporal's own OpenTelemetry interceptors, so that a program which uses them is in the same trace. */
export const traceHeader = '_tracer-data';

/** The value of that header, by the names of W3C's HTTP headers. */
export interface TraceCarrier {
  traceparent?: string;
  /** Set if a workflow continues as new: the next run continues its trace too. */
  continued?: boolean;
}

/** Reads a `traceparent`; undefined if it is none. https://www.w3.org/TR/trace-context/#traceparent-header */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] =
    /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/.exec(String(text)) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;
}

/**
 * The context of a workflow's span. Its ids follow from the text, since a workflow must come to the same ones when it replays, and must not draw
 * random numbers for them: those that it draws otherwise would be others with tracing than without.
 */
export function contextFrom(text: string, parent?: TraceContext): TraceContext {
  const spanId = hash(text, 64);
  return parent ? { ...parent, spanId } : { traceId: hash(text, 128), spanId, sampled: true };
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const parameters = {
  64: { basis: 0xcbf29ce484222325n, prime: 0x100000001b3n },
  128: { basis: 0x6c62272e07bb014262b821756295c58dn, prime: 0x1000000000000000000013bn },
};

function hash(text: string, bits: 64 | 128): string {
  const { basis, prime } = parameters[bits];
  let value = basis;
  for (const character of text) {
    value = BigInt.asUintN(bits, (value ^ BigInt(character.codePointAt(0) ?? 0)) * prime);
  }
  return value.toString(16).padStart(bits / 4, '0');
}
