import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import { ClientError } from '../../client/errors.ts';
import type { Longhaul } from '../../client/longhaul.ts';

/**
 * The chat that the options select; `agent` is the folder of the agent that answers, null for the assistant.
 * @throws {ClientError} `InvalidInput` if the options contradict each other, or there is no such chat.
 */
export async function chooseChat(
  longhaul: Longhaul,
  {
    session,
    continue: latest,
    new: fresh,
    memory,
    agent,
  }: { session?: string; continue?: boolean; new?: boolean; memory?: boolean; agent?: string | null | undefined },
): Promise<ChatHandle> {
  if (latest && (fresh || session !== undefined)) {
    throw new ClientError(
      'InvalidInput',
      'Expected --continue by itself, got it with --new or --session. Leave one of them out.',
    );
  }
  if (latest) {
    const last = (await longhaul.chats()).find((one) => agent === undefined || (one.agent?.folder ?? null) === agent);
    if (last) return expectMemory(await longhaul.chat(last.id), memory);
    throw new ClientError(
      'InvalidInput',
      `There is no conversation${agent === undefined ? '' : ` with ${agent ?? 'the assistant'}`} to continue yet. Without --continue one begins.`,
    );
  }
  const chosen = await longhaul.chat(session, { memory: memory ?? true, fresh: fresh ?? false });
  if (fresh && chosen.id !== undefined) {
    throw new ClientError(
      'InvalidInput',
      `There is a conversation "${session}" already. Choose another name, or leave --new out.`,
    );
  }
  return expectMemory(chosen, memory);
}

/** An option cannot undo what was already recalled and learned. */
function expectMemory(chat: ChatHandle, wanted: boolean | undefined): ChatHandle {
  if (wanted !== false || !chat.memory) return chat;
  throw new ClientError(
    'InvalidInput',
    `The conversation "${chat.name}" began with memory, and --no-memory is chosen when one begins. Leave it out, or begin another with --new.`,
  );
}
