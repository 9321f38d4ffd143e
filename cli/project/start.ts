import { resolve } from 'node:path';
import type { NetworkPolicy } from '../../domain/network/network-policy.ts';
import type { RuleTexts } from '../../domain/permissions/rule.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import { slugOf } from '../../domain/slug.ts';
import type { CommandContext } from '../program/command-context.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { printableJson } from '../render/printable.ts';
import { readModelOptions } from '../settings/read-model-options.ts';
import { followProject } from './follow-project.ts';
import { type LimitOptions, limitsOf } from './limit-options.ts';
import { readFeaturesFile, readGoal } from './read-goal.ts';

export interface StartOptions extends LimitOptions {
  file?: string;
  name?: string;
  dir?: string;
  adopt?: boolean;
  features?: string;
  maxSessions?: number;
  maxAttempts?: number;
  image?: string;
  model?: string[];
  network?: NetworkPolicy;
  allow?: string[];
  ask?: string[];
  deny?: string[];
  detach?: boolean;
  json?: boolean;
}

/** `longhaul start`: validates its arguments, starts the project and follows it. */
export async function start(
  context: CommandContext,
  goalGiven: string | undefined,
  options: StartOptions,
): Promise<ExitCode> {
  const goal = await readGoal(context.folder, goalGiven, options.file);
  const features = options.features ? await readFeaturesFile(context.folder, options.features) : undefined;
  const folder = resolve(context.folder, options.dir ?? slugOf(options.name ?? goal));
  return context.withLonghaul(async (longhaul) => {
    const project = await longhaul.startProject({
      goal,
      name: options.name,
      folder,
      adopt: options.adopt,
      features,
      settings: {
        maxSessions: options.maxSessions,
        maxAttempts: options.maxAttempts,
        image: options.image,
        ...readModelOptions(options.model ?? []),
        network: options.network,
        budgets: budgetsOf(options),
        permissions: rulesOf(options),
      },
    });
    if (options.json) context.stdout.write(`${printableJson({ project: project.id, folder })}\n`);
    else context.print(`Project ${project.id} in ${folder}`);
    if (options.detach) return exitCodes.done;
    const { exitCode } = await followProject(context, project, { json: options.json, from: 0, earlier: 0 });
    return exitCode;
  });
}

/** Replaces the settings' budget for projects, also where a limit is `none`. */
function budgetsOf(options: StartOptions): Budgets | undefined {
  const limits = Object.entries(limitsOf(options));
  if (limits.length === 0) return undefined;
  return { project: Object.fromEntries(limits.filter(([, limit]) => limit !== null)) };
}

function rulesOf({ allow, ask, deny }: StartOptions): RuleTexts | undefined {
  return allow || ask || deny ? { allow, ask, deny } : undefined;
}
