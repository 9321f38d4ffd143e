import { randomUUID } from 'node:crypto';
import { resolveChat } from '../../db/chats/chats.ts';
import type { NetworkAccess } from '../../domain/network/network-access.ts';
import { networkOf } from '../../domain/permissions/network-of-rules.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';

/** Finds the sandbox of a chat, named after it, or opens one with the files of an earlier one. */
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
  await resolveChat(database, chatId); // a chat that was deleted meanwhile must not get files again
  const access = networkOfChats(agents);
  const sandbox = await sandboxes.open({
    name: chatId,
    owner: { owner: chatId, purpose: 'chat' },
    image: defaultImage,
    network: access.policy,
    refusedHosts: access.refused,
    keepsFiles: true,
  });
  if (sandbox.origin === 'created') {
    await sandbox.run({ id: `tidy-${randomUUID()}`, script: tidy, timeoutMs: 60_000 });
  }
  return sandbox;
}

/** What the sandboxes of chats reach. */
export function networkOfChats({
  chat,
  permissions,
}: Pick<Dependencies['agents'], 'chat' | 'permissions'>): NetworkAccess {
  return networkOf(chat.network, permissions.rules);
}

/** The harness's records of commands serve retries of the same call, which come within two hours; a chat lives for weeks. */
const tidy =
  'find ~/.longhaul/commands ~/.longhaul/cancelled -mindepth 1 -maxdepth 1 -mtime +0 -exec rm -rf {} + 2>/dev/null; true';
