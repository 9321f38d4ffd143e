import { findChatFolder } from '../../db/files/chat-folders.ts';
import { endTransfer, type FileTransfer, findTransfer, readTransferredFiles } from '../../db/files/transfers.ts';
import { maxTransfer, type TransferResult, type WorkspaceFile } from '../../domain/chat/files.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { openChatSandbox } from '../sandbox/chat-sandbox.ts';

/** Most entries that a listing shows, and levels of folders. */
const listed = { entries: 500, depth: 3, bytes: 64_000 };

/**
 * The activity `transferFiles`: does what a stored request for files of a chat's sandbox asks for, and stores what it brought. One that is done, or that
 * its client no longer waits for, is not done again.
 */
export function createTransferFiles(
  dependencies: Pick<Dependencies, 'database' | 'sandboxes' | 'defaultImage' | 'agents'>,
) {
  const { database } = dependencies;
  return ({ id }: { id: string }): Promise<void> =>
    withHeartbeat(async () => {
      const transfer = await findTransfer(database, id);
      if (!transfer || transfer.result !== null) return;
      const sandbox = await openChatSandbox(dependencies, transfer.chatId);
      await endTransfer(database, id, await carryOut(sandbox, transfer));
    });

  async function carryOut(
    sandbox: Sandbox,
    { id, chatId, request }: FileTransfer,
  ): Promise<{ result: TransferResult; files?: WorkspaceFile[] }> {
    switch (request.kind) {
      case 'put':
        await sandbox.placeFiles(await readTransferredFiles(database, id));
        return { result: {} };
      case 'copy':
        await sandbox.placeFiles(await readTransferredFiles(database, id), request.copy);
        return { result: {} };
      case 'get':
        return { result: {}, files: await sandbox.takeFiles(request.paths, maxTransfer.folderBytes) };
      case 'list': {
        const { entries, depth, bytes: maxBytes } = listed;
        const found = await sandbox.files.list({ id, path: request.path, depth, limit: entries, maxBytes });
        return { result: { entries: found.entries, more: found.more } };
      }
      case 'look': {
        const folder = await findChatFolder(database, chatId);
        const known = Object.keys(folder?.base ?? {});
        const { copy = null, files } = await sandbox.lookAtFiles(known, maxTransfer.files);
        return { result: { copy, files } };
      }
    }
  }
}
