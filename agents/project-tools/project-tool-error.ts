import { LonghaulError } from '../../domain/longhaul-error.ts';

const kinds = {
  /** A text that is to be stored with a project seems to contain a secret. */
  SecretRefused: 'input',
  /** A reason is missing. */
  ReasonMissing: 'input',
  /** The project refused the request. */
  RequestRefused: 'conflict',
} as const;

/** A call of a project tool that cannot do what it asks for. */
export class ProjectToolError extends LonghaulError<keyof typeof kinds> {
  constructor(code: keyof typeof kinds, message: string, cause?: unknown) {
    super(message, { code, kind: kinds[code], cause });
  }
}
