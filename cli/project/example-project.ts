import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import {
  andStartAgain,
  exampleName,
  readExampleGoal,
  scriptedModel,
  setModel,
} from '../../client/start/refuse-scripted-model.ts';
import type { Configuration } from '../../config/configuration.ts';
import { readAddresses, readAsks } from '../../config/stack-record.ts';
import { modelOf } from '../../domain/model/model-of-role.ts';
import type { CommandContext } from '../program/command-context.ts';

/** @throws {ClientError} `InvalidInput` if the scripted model would be used and has no answers for this goal. */
export async function refuseGoalWithoutModel({ model }: Configuration, goal: string): Promise<void> {
  if (!model.scripted || model.script !== undefined || goal === (await readExampleGoal())) return;
  throw new ClientError(
    'InvalidInput',
    `No model is set: the example runs on ${scriptedModel}\n${setModel}${andStartAgain}`,
  );
}

/** @throws {ClientError} `InvalidInput` if the running stack has another model than the one set here, whose cost nobody expects. */
export async function refuseOtherModel(configuration: Configuration): Promise<void> {
  if (readAddresses(configuration).model !== undefined) return;
  const asked = readAsks(configuration.home)?.model;
  const again = 'stop the stack with `longhaul down`, then run `npm start` again.';
  if (configuration.model.scripted)
    throw new ClientError(
      'InvalidInput',
      `No model is set here, but the running stack uses ${asked ?? 'a model of your own'}. To build the example with the scripted model, ${again}`,
    );
  const { value: set } = modelOf(configuration.model, 'code');
  if (asked === undefined || asked === set) return; // the record has no model
  throw new ClientError(
    'InvalidInput',
    `The model set here is ${set}, but the running stack uses ${asked}. To build with ${set}, ${again} To build with ${asked}, use \`longhaul start\`.`,
  );
}

/** The example project in progress, so that a second `npm start` follows it; otherwise a new one. */
export async function openExample(context: CommandContext, longhaul: Longhaul): Promise<ProjectHandle> {
  const goal = await readExampleGoal();
  const projects = await longhaul.listProjects();
  const underWay = projects.find(
    (project) => project.goal === goal && (project.status === 'ACTIVE' || project.status === 'INITIALIZING'),
  );
  if (underWay) {
    context.print(`\nThe example is already running. Following ${underWay.id}.`);
    return longhaul.project(underWay.id);
  }
  const { home } = await context.configuration();
  return longhaul.startProject({ goal, name: exampleName, folder: freeFolder(join(home, 'projects'), exampleName) });
}

/** `name` in a folder or, if taken, `name-2`, `name-3` and so on. */
export function freeFolder(parent: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
    if (!existsSync(folder)) return folder;
  }
}
