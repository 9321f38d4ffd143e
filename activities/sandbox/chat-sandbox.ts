import { resolveChat } from '../../db/chats/chats.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';

/** The sandbox of a chat, named after it: found, or opened with the files that an earlier one had. */
export async function openChatSandbox(
  {
    database,
    sandboxes,
    defaultImage,
    agents,
  }: Pick<Dependencies, 'database' | 'sandboxes' | 'defaultImage' | 'agents'>,
  chatId: string,
): Promise<Sandbox> {
  const found = await sandboxes.find(chatId);
  if (found) return found;
  await resolveChat(database, chatId); // one that was deleted meanwhile gets no files again
  return sandboxes.open({
    name: chatId,
    owner: { owner: chatId, purpose: 'chat' },
    image: defaultImage,
    network: agents.chat.network,
    keepsFiles: true,
  });
}
