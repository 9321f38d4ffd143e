import { LonghaulError } from '../../domain/longhaul-error.ts';

/** A request that the script has no answer for, or that a real provider would refuse; the server answers with HTTP 400 and this code. */
export class RequestRefusedError extends LonghaulError {
  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, { code, kind: 'input', ...options });
  }
}
