/** A request that the scripted model answers with HTTP 400: it does not fit the script. */
export class RequestRefusedError extends Error {
  override name = 'RequestRefusedError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
