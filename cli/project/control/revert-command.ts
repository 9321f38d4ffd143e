import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ClientError } from '../../../client/errors.ts';
import { shortCheckpoint, shortCommit } from '../../../client/format/commit.ts';
import { expectYes } from '../../program/ask.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

interface RevertOptions {
  reason?: string;
  yes?: boolean;
}

export function addRevert(program: Command, context: CommandContext): void {
  program
    .command('revert')
    .description('go back to a checkpoint; what is undone stays reachable, and the project is paused')
    .argument('<project>')
    .argument('<checkpoint>', 'its id (c3) or commit')
    .option('--reason <text>', 'kept with the project')
    .option('-y, --yes', 'even with uncommitted changes; they are kept in a ref')
    .action((reference: string, checkpoint: string, { reason, yes }: RevertOptions) =>
      withProject(context, reference, async (project) => {
        await project.checkpoint(checkpoint); // throws before any question is asked
        const { folder } = await project.status();
        // If the folder is on another machine, the worker there checks it, and refuses rather than asks.
        const isDirty = !yes && existsSync(folder) && (await project.hasUncommittedChanges());
        if (isDirty) await askBeforeRevert(context, folder);
        const result = await project.revert({
          checkpoint,
          ...(reason && { reason }),
          ...((yes || isDirty) && { overUncommittedChanges: true }),
        });
        context.printMessage(
          `Reverted to ${shortCheckpoint(result.checkpoint)} at ${shortCommit(result.commit)}. What was left is at ${result.keptRef}; reverting to one of \`longhaul checkpoints --all ${project.id}\` undoes this.`,
        );
        context.printMessage(`The project is paused. \`longhaul resume ${project.id}\` continues from there.`);
      }),
    );
}

/**
 * Asks whether a person's uncommitted changes may be moved to the kept ref.
 * @throws {DeclinedError} if they may not.
 * @throws {ClientError} `InvalidInput` if there is no terminal to ask on.
 */
export async function askBeforeRevert(context: CommandContext, folder: string): Promise<void> {
  if (!context.stdin.isTTY || !context.stdout.isTTY) {
    throw new ClientError(
      'InvalidInput',
      `${folder} has changes that are not committed, and there is no terminal to ask on. Commit them, or pass --yes: they are then committed to the ref that keeps what is left.`,
    );
  }
  await expectYes(
    context,
    `${folder} has changes that are not committed. They will be committed to the ref that keeps what is left, and leave the folder. Go on?`,
  );
}
