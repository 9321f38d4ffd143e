import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { configFileNames } from '../../config/load-configuration.ts';
import type { CommandContext } from '../program/command-context.ts';

/** Notes if the current folder has a settings file that is not the one in use. */
export function noteUnreadConfig(context: CommandContext, { configFile, home }: Configuration): void {
  for (const name of configFileNames) {
    const path = join(context.folder, name);
    if (path === configFile || !existsSync(path)) continue;
    context.note(
      `${path} is ignored, since agents may write in this folder. To use it, set LONGHAUL_CONFIG=${relative(context.folder, path)} or move it to ${join(home, name)}.`,
    );
  }
}
