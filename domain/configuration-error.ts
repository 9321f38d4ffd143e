import { LonghaulError } from './longhaul-error.ts';

/** The environment or `longhaul.config.ts` has an invalid setting. */
export class ConfigurationError extends LonghaulError<'InvalidConfiguration'> {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { code: 'InvalidConfiguration', kind: 'input', cause });
  }
}
