import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { envFilePath } from '../../config/environment.ts';
import { configFileNames } from '../../config/load-configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import { type MissingFile, writeMissingFile } from '../program/write-missing-file.ts';

/** Writes missing settings files; `.env` is readable only by its owner, since it will contain keys. */
export async function writeSettingsFiles(
  { home }: Configuration,
  environment: Record<string, string | undefined>,
): Promise<MissingFile[]> {
  const template = (name: string) => readFile(join(packageRoot(), 'cli', 'settings', 'templates', name), 'utf8');
  const there = configFileNames.map((name) => join(home, name)).find((path) => existsSync(path));
  return [
    await writeMissingFile(envFilePath(environment), await template('env'), 0o600),
    there === undefined
      ? await writeMissingFile(join(home, 'longhaul.config.ts'), await template('longhaul-config'))
      : { path: there, written: false },
  ];
}
