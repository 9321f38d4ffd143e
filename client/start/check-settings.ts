import { areModelNames } from '../../domain/model/model-name.ts';
import { textRoles } from '../../domain/model/model-role.ts';
import { isNetworkPolicy, networkPolicyExpected } from '../../domain/network/network-policy.ts';
import { parseRules } from '../../domain/permissions/parse-rules.ts';
import type { ProjectSettings } from '../../domain/project/settings.ts';
import { ClientError } from '../errors.ts';

/** The largest values that `createProject` accepts. */
const largest = { maxAttempts: 20, maxTurns: 1000, maxSessions: Number.MAX_SAFE_INTEGER } as const;

/** A project's settings; missing ones take their defaults. */
export type SettingsRequest = { [Name in keyof ProjectSettings]?: ProjectSettings[Name] | undefined };

/**
 * Returns the settings without undefined ones.
 * @throws {ClientError} `InvalidInput` if a count is not a whole number in its range, a role is unknown, a model's name is malformed, or the network is no policy.
 * @throws {ConfigurationError} naming each rule that cannot be used.
 */
export function checkSettings(settings: SettingsRequest): Partial<ProjectSettings> {
  for (const name of ['maxAttempts', 'maxTurns', 'maxSessions'] as const) {
    const value = settings[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= largest[name])) continue;
    const range = name === 'maxSessions' ? 'from 1' : `from 1 to ${largest[name]}`;
    throw new ClientError(
      'InvalidInput',
      `Expected ${name} to be a whole number ${range}, got ${JSON.stringify(value)}.`,
    );
  }
  checkModels(settings);
  const { network } = settings;
  if (network !== undefined && !isNetworkPolicy(network)) {
    throw new ClientError('InvalidInput', `For network, ${networkPolicyExpected}, got ${JSON.stringify(network)}.`);
  }
  parseRules(settings.permissions ?? {}, 'project');
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function checkModels({ model, models = {} }: SettingsRequest): void {
  for (const role of Object.keys(models)) {
    if ((textRoles as readonly string[]).includes(role)) continue;
    throw new ClientError(
      'InvalidInput',
      `Expected a role in ${role}=${models[role]}: ${textRoles.join(', ')}. Got "${role}".`,
    );
  }
  for (const names of [model, ...Object.values(models)]) {
    if (names !== undefined) expectModelNames(names);
  }
}

/** @throws {ClientError} `InvalidInput` if the text names no model, or a name begins or ends with "/". */
export function expectModelNames(names: string): void {
  if (areModelNames(names)) return;
  throw new ClientError(
    'InvalidInput',
    `Expected the name of a model, such as openai/gpt-5, or several separated by commas, got ${JSON.stringify(names.slice(0, 200))}.`,
  );
}
