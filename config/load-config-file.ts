import { isNativeError } from 'node:util/types';
import { ConfigurationError } from '../domain/configuration-error.ts';
import { describeIssue } from '../domain/describe-issue.ts';
import { configSchema } from './config-schema.ts';
import type { LonghaulConfig } from './define-config.ts';

/** A loaded config file. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  config: LonghaulConfig;
}

/**
 * Executes a config file, TypeScript included, and validates its default export. `longhaul/config` and `longhaul/models` resolve to this program's
 * own modules wherever the file lies, so that errors of its providers are recognised here.
 * @throws {ConfigurationError} naming the file, each invalid setting, what was expected and what came.
 */
export async function loadConfigFile(path: string): Promise<ConfigFile> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(path, {
    fsCache: false,
    moduleCache: false, // so that reloading picks up changes
    interopDefault: false,
    virtualModules: {
      'longhaul/config': await import('./define-config.ts'),
      'longhaul/models': await import('../models/index.ts'),
    },
  });
  let loaded: unknown;
  try {
    loaded = await jiti.import(path);
  } catch (error) {
    const told = isNativeError(error) ? error.message : String(error);
    throw new ConfigurationError(`${path} could not be loaded: ${told}`, { cause: error });
  }
  const given = (loaded as { default?: unknown }).default;
  if (given === undefined) {
    throw new ConfigurationError(
      `Expected ${path} to export its settings as default: export default defineConfig({ ... }).`,
    );
  }
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return { path, config: parsed.data };
  const complaints = parsed.error.issues.map((issue) => `  ${describeIssue(issue, given)}`);
  throw new ConfigurationError(`${path} has settings that Longhaul cannot use.\n${complaints.join('\n')}`);
}
