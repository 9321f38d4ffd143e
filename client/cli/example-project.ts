import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';
import { findAddresses } from '../connection/addresses.ts';
import { InvalidInputError } from '../errors.ts';
import type { CommandContext } from './command-context.ts';

/** The example project that ships with Longhaul. */
export const exampleName = 'spend';

export async function readExampleGoal(): Promise<string> {
  return (await readFile(join(packageRoot(), 'examples', exampleName, 'goal.md'), 'utf8')).trim();
}

/** @throws {InvalidInputError} if the stack runs on the scripted model, which has no answers for this goal. */
export async function refuseUnscriptedGoal(context: CommandContext, goal: string): Promise<void> {
  if (goal === (await readExampleGoal())) return;
  await refuseScriptedModel(context, ', and start this again. Without a key `npm start` runs the example.');
}

/** @throws {InvalidInputError} if the stack runs on the scripted model, which nobody can talk with; `then` says what to do once a model is set. */
export async function refuseScriptedModel(context: CommandContext, then: string): Promise<void> {
  const { model: scripted } = await findAddresses(await context.configuration());
  if (scripted === undefined) return;
  const { model } = await context.configurationWithFile();
  const next = !model.scripted
    ? `The stack was started before a model was set. Restart it with \`longhaul down && longhaul up -d\`${then}`
    : `Set OPENAI_API_KEY or ANTHROPIC_API_KEY (or OPENAI_BASE_URL for another endpoint, and LONGHAUL_MODEL), restart the stack with \`longhaul down && longhaul up -d\`${then}`;
  throw new InvalidInputError(
    `The stack runs on the scripted model, which has answers for the example project only.\n${next}`,
  );
}
