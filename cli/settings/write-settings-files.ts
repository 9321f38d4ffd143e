import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { envFilePath } from '../../config/environment.ts';
import { configFileNames } from '../../config/load-configuration.ts';
import { packageRoot } from '../../config/package-root.ts';

/** Writes missing settings files; `.env` is readable only by its owner, since it will contain keys. */
export async function writeSettingsFiles(
  { home }: Configuration,
  environment: Record<string, string | undefined>,
): Promise<Array<{ path: string; written: boolean }>> {
  const templates = join(packageRoot(), 'cli', 'settings', 'templates');
  const there = configFileNames.map((name) => join(home, name)).find((path) => existsSync(path));
  return [
    await write(envFilePath(environment), join(templates, 'env'), 0o600),
    there === undefined
      ? await write(join(home, 'longhaul.config.ts'), join(templates, 'longhaul-config'), 0o644)
      : { path: there, written: false },
  ];
}

async function write(path: string, template: string, mode: number): Promise<{ path: string; written: boolean }> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, await readFile(template, 'utf8'), { mode, flag: 'wx' });
    return { path, written: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { path, written: false };
  }
}
