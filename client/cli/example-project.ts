import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import { modelOf } from '../../models/model-of-role.ts';
import { findAddresses } from '../connection/addresses.ts';
import { InvalidInputError } from '../errors.ts';
import type { CommandContext } from './command-context.ts';

/** The example project that ships with Longhaul. */
export const exampleName = 'spend';

const scriptedModel = 'the scripted model, which has answers for the example project only.';
const setModel =
  'Set OPENAI_API_KEY or ANTHROPIC_API_KEY (or OPENAI_BASE_URL for another endpoint, and LONGHAUL_MODEL)';
const andStartAgain = ', and start this again. Without a key `npm start` runs the example.';

export async function readExampleGoal(): Promise<string> {
  return (await readFile(join(packageRoot(), 'examples', exampleName, 'goal.md'), 'utf8')).trim();
}

/** @throws {InvalidInputError} if the stack runs on the scripted model, which has no answers for this goal. */
export async function refuseUnscriptedGoal(context: CommandContext, goal: string): Promise<void> {
  if (goal === (await readExampleGoal())) return;
  await refuseScriptedModel(context, andStartAgain);
}

/** @throws {InvalidInputError} if the stack runs on the scripted model, which nobody can talk with; `then` says what to do once a model is set. */
export async function refuseScriptedModel(context: CommandContext, then: string): Promise<void> {
  const configuration = await context.configuration();
  const { model: scripted } = await findAddresses(configuration);
  if (scripted === undefined) return;
  const { readAsks } = await import('../../setup/stack/read-stack.ts');
  if (readAsks(configuration.home)?.script !== undefined) return; // what answers a person wrote is theirs to know
  const { model } = await context.configurationWithFile();
  const restart = `\`longhaul down && longhaul up -d\`${then}`;
  const next = !model.scripted
    ? `The stack was started before a model was set. Restart it with ${restart}`
    : `${setModel}, restart the stack with ${restart}`;
  throw new InvalidInputError(`The stack runs on ${scriptedModel}\n${next}`);
}

/** @throws {InvalidInputError} if the scripted model is to be used and has no answers for this goal, whether or not a stack runs. */
export async function refuseGoalWithoutModel({ model }: Configuration, goal: string): Promise<void> {
  if (!model.scripted || model.script !== undefined || goal === (await readExampleGoal())) return;
  throw new InvalidInputError(`No model is set: the example runs on ${scriptedModel}\n${setModel}${andStartAgain}`);
}

/** @throws {InvalidInputError} if the stack that runs was started with another model than the one set here: nobody expects the costs of that one. */
export async function refuseOtherModel(configuration: Configuration): Promise<void> {
  const { readAddresses, readAsks } = await import('../../setup/stack/read-stack.ts');
  if ((await readAddresses(configuration)).model !== undefined) return;
  const asked = readAsks(configuration.home)?.model;
  const again = 'stop the stack with `longhaul down`, then run `npm start` again.';
  if (configuration.model.scripted)
    throw new InvalidInputError(
      `No model is set here, but the stack that runs asks ${asked ?? 'a model of your own'}: the example would be built with it. To build it on the scripted model, ${again}`,
    );
  const { value: set } = modelOf(configuration.model, 'code');
  if (asked === undefined || asked === set) return; // a stack of an earlier version did not note it
  throw new InvalidInputError(
    `The model set here is ${set}, but the stack that runs asks ${asked}. To build with ${set}, ${again} To build with ${asked}, use \`longhaul start\`.`,
  );
}
