import { InvalidInputError } from '../errors.ts';
import { askYesOrNo } from './ask.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Asks whether a person's uncommitted changes may be moved to the kept ref.
 * @throws {InvalidInputError} if there is no terminal to ask on.
 */
export async function askBeforeRevert(context: CommandContext, folder: string): Promise<boolean> {
  if (!context.stdin.isTTY || !context.stdout.isTTY) {
    throw new InvalidInputError(
      `${folder} has changes that are not committed, and there is no terminal to ask on. Commit them, or pass --yes: they are then committed to the ref that keeps what is left.`,
    );
  }
  return askYesOrNo(
    context,
    `${folder} has changes that are not committed. They will be committed to the ref that keeps what is left, and leave the folder. Go on?`,
  );
}
