import { existsSync } from 'node:fs';
import { type DescribedSetting, describeSettings } from '../../agents/settings/describe-settings.ts';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { envFilePath } from '../../config/environment.ts';
import { findConfigFile, loadConfigFile } from '../../config/load-configuration.ts';
import type { ModelSettings } from '../../config/settings/model-settings.ts';
import type { CommandContext } from '../program/command-context.ts';

/** Every setting, which files contribute to them, and that the scripted model answers, if so. */
export async function readSettings({ environment }: CommandContext): Promise<{
  configuration: Configuration;
  settings: DescribedSetting[];
  files: string[];
  scripted: string | undefined;
}> {
  const { home, configFile: named } = readConfiguration(environment);
  const path = findConfigFile({ home, named });
  const file = path === undefined ? undefined : await loadConfigFile(path, () => import('../../models/index.ts'));
  const configuration = readConfiguration(environment, file);
  const settings = describeSettings(configuration, environment);
  const envFile = envFilePath(environment);
  return {
    configuration,
    settings,
    scripted: describeScripted(configuration.model),
    files: [
      existsSync(envFile) ? `.env: ${envFile}` : `There is no ${envFile}; \`longhaul init\` writes one.`,
      file ? `file: ${file.path}` : `There is no longhaul.config.ts in ${home}; \`longhaul init\` writes one.`,
    ],
  };
}

/** Says that no provider is set, and what the scripted model can answer; undefined if a provider is set. */
export function describeScripted({ scripted, script }: ModelSettings): string | undefined {
  if (!scripted) return undefined;
  const answers = script === undefined ? 'can only build the example project' : `answers from ${script}`;
  return `No key or address of a provider is set: every role uses the scripted model, which ${answers}. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or see docs/models.md.`;
}
