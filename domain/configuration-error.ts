/** Thrown when the environment or `longhaul.config.ts` holds an invalid setting. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
