/** A person interrupted a command; the message says how that leaves things. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
}
