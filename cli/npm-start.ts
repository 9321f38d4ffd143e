import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClientError } from '../client/errors.ts';
import type { Longhaul } from '../client/longhaul.ts';
import type { ProjectHandle } from '../client/project/project-handle.ts';
import type { Configuration } from '../config/configuration.ts';
import { parseModelName, providerNamesOf } from '../domain/model/model-name.ts';
import { expectModelOf } from '../domain/model/model-of-role.ts';
import { slugOf } from '../domain/slug.ts';
import type { Reporter } from '../setup/reporter.ts';
import { ask } from './program/ask.ts';
import type { CommandContext } from './program/command-context.ts';
import { createCommandContext } from './program/create-command-context.ts';
import { reportFailure } from './program/describe-error.ts';
import { type ExitCode, exitCodes } from './program/exit-code.ts';
import { createInterrupt } from './program/interrupt.ts';
import { freeFolder, openExample, refuseGoalWithoutModel, refuseOtherModel } from './project/example-project.ts';
import { followProject } from './project/follow-project.ts';
import { readGoal } from './project/read-goal.ts';
import { describeWhereToLook } from './project/ui-address.ts';
import { upDetached } from './stack/up-detached.ts';

export interface NpmStartOptions {
  reporter: Reporter;
  environment: Record<string, string | undefined>;
  /** What to say if no model is set, unless it was already said. */
  scriptedNotice?: string;
  /** A goal, or `--file goal.md`; refused if no model is set. */
  parameters: string[];
}

/**
 * `npm start`, once dependencies are installed and everything is built: says which model is used, sets up, starts the stack, and runs the example or,
 * with a model of one's own, a goal from start to finish. Says what went wrong; returns the exit code: 0 only if the project is COMPLETED.
 */
export async function npmStart(options: NpmStartOptions): Promise<ExitCode> {
  const interrupt = createInterrupt();
  const { stdin, stdout, stderr } = process;
  const context = createCommandContext(
    { environment: options.environment, folder: process.cwd(), stdin, stdout, stderr },
    { interruptSignal: () => interrupt.signal(), setExitCode: () => {} },
  );
  try {
    return await runNpmStart(context, options);
  } catch (error) {
    return reportFailure(context, interrupt, error);
  } finally {
    interrupt.release();
  }
}

async function runNpmStart(context: CommandContext, options: NpmStartOptions): Promise<ExitCode> {
  const configuration = await context.configurationWithFile();
  if (hasModel(configuration)) context.print(describeModel(configuration));
  else if (options.scriptedNotice) context.print(options.scriptedNotice);
  const needsGoal = hasModel(configuration) || options.parameters.length > 0;
  const goal = needsGoal ? await takeGoal(context, options.parameters) : undefined;
  if (goal !== undefined) await refuseGoalWithoutModel(configuration, goal);
  await upDetached(context, configuration, options.reporter);
  await refuseOtherModel(configuration);
  return context.withLonghaul(async (longhaul) => {
    const project =
      goal === undefined ? await openExample(context, longhaul) : await begin(longhaul, goal, configuration);
    context.print('');
    const { state, exitCode } = await followProject(context, project, { from: 0, earlier: 0 });
    context.print(await describeWhereToLook(configuration, await project.status()));
    if (exitCode !== exitCodes.done) return exitCode;
    return state.status === 'COMPLETED' ? exitCodes.done : exitCodes.failed;
  });
}

function hasModel({ model }: Configuration): boolean {
  return !model.scripted;
}

/**
 * The first line that a newcomer reads.
 * @throws {ConfigurationError} if no model is named, and none is usual.
 */
export function describeModel(configuration: Configuration): string {
  const { providers } = configuration.model;
  const named = expectModelOf(configuration.model, 'code');
  const { provider } = parseModelName(named, providerNamesOf(configuration.model));
  const own = configuration.model.own.some(({ name }) => name === provider);
  const baseUrl = own ? undefined : providers[provider]?.baseUrl;
  return `The model is ${named}${baseUrl ? ` at ${baseUrl}` : ''}.`;
}

async function takeGoal(context: CommandContext, parameters: string[]): Promise<string> {
  const { values, positionals } = parseParameters(parameters);
  const given = positionals.length ? positionals.join(' ') : undefined;
  if (given !== undefined || values.file !== undefined) return readGoal(context.folder, given, values.file);
  if (!context.stdin.isTTY) {
    throw new ClientError(
      'InvalidInput',
      'Expected a goal, since a model is set: npm start -- "<goal>", or npm start -- --file goal.md.',
    );
  }
  return readGoal(context.folder, await ask(context, 'What should be built? '), undefined);
}

function parseParameters(args: string[]) {
  try {
    return parseArgs({ args, options: { file: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new ClientError('InvalidInput', (cause as Error).message, { cause });
  }
}

function begin(longhaul: Longhaul, goal: string, configuration: Configuration): Promise<ProjectHandle> {
  // Not in the current folder, which is Longhaul's own checkout.
  return longhaul.startProject({ goal, folder: freeFolder(join(configuration.home, 'projects'), slugOf(goal)) });
}
