import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { CommandContext } from '../program/command-context.ts';

/**
 * Does the work with the named chat.
 * @throws {DatabaseError} `UnknownChat` naming the latest chats.
 */
export async function withChat<Result>(
  context: CommandContext,
  name: string,
  work: (chat: ChatHandle) => Promise<Result>,
): Promise<Result> {
  return context.withLonghaul(async (longhaul) => work(await longhaul.existingChat(name)));
}
