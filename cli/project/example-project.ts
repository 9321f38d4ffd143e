import { ClientError } from '../../client/errors.ts';
import { readExampleGoal } from '../../client/start/example-goal.ts';
import { andStartAgain, scriptedModel, setModel } from '../../client/start/refuse-scripted-model.ts';
import type { Configuration } from '../../config/configuration.ts';
import { readAddresses, readAsks } from '../../config/stack-record.ts';
import { modelOf } from '../../domain/model/model-of-role.ts';

/** @throws {ClientError} `InvalidInput` if the scripted model is to be used and has no answers for this goal, whether or not a stack runs. */
export async function refuseGoalWithoutModel({ model }: Configuration, goal: string): Promise<void> {
  if (!model.scripted || model.script !== undefined || goal === (await readExampleGoal())) return;
  throw new ClientError(
    'InvalidInput',
    `No model is set: the example runs on ${scriptedModel}\n${setModel}${andStartAgain}`,
  );
}

/** @throws {ClientError} `InvalidInput` if the stack that runs was started with another model than the one set here: nobody expects the costs of that one. */
export async function refuseOtherModel(configuration: Configuration): Promise<void> {
  if (readAddresses(configuration).model !== undefined) return;
  const asked = readAsks(configuration.home)?.model;
  const again = 'stop the stack with `longhaul down`, then run `npm start` again.';
  if (configuration.model.scripted)
    throw new ClientError(
      'InvalidInput',
      `No model is set here, but the stack that runs asks ${asked ?? 'a model of your own'}: the example would be built with it. To build it on the scripted model, ${again}`,
    );
  const { value: set } = modelOf(configuration.model, 'code');
  if (asked === undefined || asked === set) return; // a stack of an earlier version did not note it
  throw new ClientError(
    'InvalidInput',
    `The model set here is ${set}, but the stack that runs asks ${asked}. To build with ${set}, ${again} To build with ${asked}, use \`longhaul start\`.`,
  );
}
