import { LonghaulError } from '../../domain/longhaul-error.ts';

/** A request that the scripted model answers with HTTP 400, with its code: it does not fit the script. */
export class RequestRefusedError extends LonghaulError {
  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, { code, kind: 'input', ...options });
  }
}
