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
    .description('go back to a checkpoint and pause the project; the previous state stays in a git ref')
    .argument('<project>')
    .argument('<checkpoint>', 'its id (c3) or commit')
    .option('--reason <text>', 'stored with the project')
    .option('-y, --yes', 'move uncommitted changes to a git ref without asking')
    .action((reference: string, checkpoint: string, { reason, yes }: RevertOptions) =>
      withProject(context, reference, async (project) => {
        await project.checkpoint(checkpoint); // throws before any question is asked
        const { folder } = await project.status();
        // If the folder is on another machine, the worker there checks it and refuses without asking.
        const isDirty = !yes && existsSync(folder) && (await project.hasUncommittedChanges());
        if (isDirty) await askBeforeRevert(context, folder);
        const result = await project.revert({
          checkpoint,
          ...(reason && { reason }),
          ...((yes || isDirty) && { overUncommittedChanges: true }),
        });
        context.printMessage(
          `Reverted to ${shortCheckpoint(result.checkpoint)} at ${shortCommit(result.commit)}. The previous state is at ${result.keptRef}. To undo this, revert to a checkpoint of \`longhaul checkpoints --all ${project.id}\`.`,
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
      `${folder} has uncommitted changes, and there is no terminal to ask on. Commit them, or pass --yes to move them to the git ref of the previous state.`,
    );
  }
  await expectYes(
    context,
    `${folder} has uncommitted changes. They move from the folder to the git ref of the previous state. Continue?`,
  );
}
