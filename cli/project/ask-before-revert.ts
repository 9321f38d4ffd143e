import { ClientError } from '../../client/errors.ts';
import { expectYes } from '../program/ask.ts';
import type { CommandContext } from '../program/command-context.ts';

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
