import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import type { ReadSettings } from '../../config/load-configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import { readAsks } from '../../config/stack-record.ts';
import { findAddresses } from '../connection/addresses.ts';
import { ClientError } from '../errors.ts';

export const scriptedModel = 'the scripted model, which can only build the example project.';
export const setModel =
  'Set OPENAI_API_KEY or ANTHROPIC_API_KEY (or OPENAI_BASE_URL for another endpoint, and LONGHAUL_MODEL)';
export const andStartAgain = 'and start again. Without a key, `npm start` builds the example.';

interface Settings {
  configuration: Configuration;
  /** With the settings file. */
  settings: ReadSettings;
}

/** @throws {ClientError} `InvalidInput` if the stack runs on the scripted model, which has no answers for this goal. */
export async function refuseUnscriptedGoal(from: Settings, goal: string): Promise<void> {
  if (goal.trim() === (await readExampleGoal())) return;
  await refuseScriptedModel(from, andStartAgain);
}

/**
 * `then` says what to do once a model is set.
 * @throws {ClientError} `InvalidInput` if the stack runs on the scripted model, which nobody can talk with.
 */
export async function refuseScriptedModel({ configuration, settings }: Settings, then: string): Promise<void> {
  const { model: scripted } = findAddresses(configuration);
  if (scripted === undefined) return;
  if (readAsks(configuration.home)?.script !== undefined) return; // a person's own script may have the answers
  const { model } = await settings();
  const restart = `\`longhaul down && longhaul up -d\`${then}`;
  const next = !model.scripted
    ? `The stack was started before a model was set. Restart it with ${restart}`
    : `${setModel}, restart the stack with ${restart}`;
  throw new ClientError('InvalidInput', `The stack runs on ${scriptedModel}\n${next}`);
}

/** The example project that ships with Longhaul. */
export const exampleName = 'spend';

export async function readExampleGoal(): Promise<string> {
  return (await readFile(join(packageRoot(), 'examples', exampleName, 'goal.md'), 'utf8')).trim();
}
