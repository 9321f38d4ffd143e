/** A failure of a tool, as it is recorded. */
export interface KeptFailure {
  name: string;
  message: string;
}

export function keptFailureOf(thrown: unknown): KeptFailure {
  return thrown instanceof Error
    ? { name: thrown.name, message: thrown.message }
    : { name: 'Error', message: String(thrown) };
}

/** The same error before and after a crash, since frameworks tell models its name and message. */
export function toError({ name, message }: KeptFailure, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { name });
}
