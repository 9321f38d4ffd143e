/** A page that could not be read, or must not be; the message is for the agent. */
export class PageError extends Error {
  override name = 'PageError';
}
