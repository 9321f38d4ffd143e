import { existsSync } from 'node:fs';
import { readConfiguration } from '../../config/configuration.ts';
import { envFilePath } from '../../config/environment.ts';
import { findConfigFile, loadConfigFile } from '../../config/load-configuration.ts';
import type { CommandContext } from '../program/command-context.ts';
import { tellScripted } from '../project/tell-scripted.ts';
import { type DescribedSetting, describeSettings } from './describe-settings.ts';

/** Every setting, which files contribute to them, and that the scripted model answers, if so. */
export async function readSettings({
  environment,
}: CommandContext): Promise<{ settings: DescribedSetting[]; files: string[]; scripted: string | undefined }> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  const file = path === undefined ? undefined : await loadConfigFile(path, () => import('../../models/index.ts'));
  const configuration = readConfiguration(environment, file);
  const settings = describeSettings(configuration, environment, file?.config ?? {});
  const envFile = envFilePath(environment);
  return {
    settings,
    scripted: tellScripted(configuration.model),
    files: [
      existsSync(envFile) ? `.env: ${envFile}` : `There is no ${envFile}; \`longhaul init\` writes one.`,
      file ? `file: ${file.path}` : `There is no longhaul.config.ts in ${home}; \`longhaul init\` writes one.`,
    ],
  };
}
