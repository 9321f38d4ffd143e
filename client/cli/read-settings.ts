import { existsSync } from 'node:fs';
import { readConfiguration } from '../../config/configuration.ts';
import { type DescribedSetting, describeSettings } from '../../config/describe-settings.ts';
import { envFilePath } from '../../config/env-file.ts';
import { findConfigFile } from '../../config/find-config-file.ts';
import { loadConfigFile } from '../../config/load-config-file.ts';
import type { CommandContext } from './command-context.ts';

/** Every setting, and which files contribute to them. */
export async function readSettings({
  environment,
}: CommandContext): Promise<{ settings: DescribedSetting[]; files: string[] }> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  const file = path === undefined ? undefined : await loadConfigFile(path);
  const settings = describeSettings(readConfiguration(environment, file), environment, file?.config ?? {});
  const envFile = envFilePath(environment);
  return {
    settings,
    files: [
      existsSync(envFile) ? `.env: ${envFile}` : `There is no ${envFile}; \`longhaul init\` writes one.`,
      file ? `file: ${file.path}` : `There is no longhaul.config.ts in ${home}; \`longhaul init\` writes one.`,
    ],
  };
}
