import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../config/package-root.ts';
import { SetupError } from '../../setup-error.ts';

/**
 * The compiled file of one of Longhaul's own programs, such as `workers/main`.
 * @throws {SetupError} `ServiceUnstartable` if it was not built.
 */
export function builtProgram(name: string): string {
  const file = join(packageRoot(), 'dist', `${name}.js`);
  if (existsSync(file)) return file;
  throw new SetupError('ServiceUnstartable', `Expected the built program ${file}, found none. Run npm run build.`);
}

/** Parses a line of output as a JSON object, if it is one: our programs report with such a line that they are ready. */
export function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined; // other output that happens to begin with a brace
  }
}
