import type { ChatHandle } from '../../chat/chat-handle.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Longhaul } from '../../longhaul.ts';

/**
 * The conversation that the options mean; `agent` is the folder of the one who answers.
 * @throws {InvalidInputError} where they contradict each other, or there is none of that kind.
 */
export async function chooseChat(
  longhaul: Longhaul,
  {
    session,
    continue: latest,
    new: fresh,
    agent,
  }: { session?: string; continue?: boolean; new?: boolean; agent?: string | undefined },
): Promise<ChatHandle> {
  if (latest && (fresh || session !== undefined)) {
    throw new InvalidInputError(
      'Expected --continue by itself, got it with --new or --session. Leave one of them out.',
    );
  }
  if (latest) {
    const last = (await longhaul.chats()).find((one) => agent === undefined || one.agent?.folder === agent);
    if (last) return longhaul.chat(last.id);
    throw new InvalidInputError(
      `There is no conversation${agent === undefined ? '' : ` with ${agent}`} to continue yet. Without --continue one begins.`,
    );
  }
  const chosen = await longhaul.chat(session);
  if (fresh && chosen.id !== undefined) {
    throw new InvalidInputError(
      `There is a conversation "${session}" already. Choose another name, or leave --new out.`,
    );
  }
  return chosen;
}
