/** Thrown when the environment or `longhaul.config.ts` holds what no setting takes. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
