import { resolve } from 'node:path';
import type { ReadSettings } from '../../config/load-configuration.ts';
import type { ChatRow } from '../../db/chats/chat-transaction.ts';
import { findChatFolder } from '../../db/files/chat-folders.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { ClientError } from '../errors.ts';
import { type ChatFiles, createChatFiles, createTransfer } from './chat-files.ts';
import type { FoundChat } from './chat-row.ts';
import type { ChatWorkflow } from './chat-workflow.ts';
import type { ChatFolder, Copied } from './folder/chat-folder.ts';

/** What a chat's handle offers for files. */
export interface FilesOfChat {
  /** The files in its sandbox. */
  readonly files: ChatFiles;
  /** The folder that it works on a copy of; undefined if there is none. */
  folder(): Promise<ChatFolder | undefined>;
  /**
   * Has it work on a copy of a folder of this machine, which is made unless the chat has it; the chat must exist. `copied` is undefined if it was there.
   * @throws {ClientError} `InvalidInput` if the folder is too large, or the chat works on another one.
   * @throws {GitError} `FolderPrivate`
   */
  useFolder(path: string): Promise<{ folder: ChatFolder; copied: Copied | undefined }>;
}

export interface FilesDependencies {
  database: DatabaseAccess;
  settings: ReadSettings;
  /** Longhaul's data folder. */
  home: string;
}

export function createFilesOfChat(
  { database, settings, home }: FilesDependencies,
  its: Pick<FoundChat, 'find'>,
  workflowOf: (chat: ChatRow) => ChatWorkflow,
): FilesOfChat {
  const transfer = createTransfer(database, async () => {
    const chat = await its.find();
    return chat && { id: chat.id, workflow: workflowOf(chat) };
  });
  const rules = async () => (await settings()).agents.permissions.rules;
  const deps = { database, transfer, rules };
  const findRow = async () => {
    const chat = await its.find();
    return chat && (await database.use((query) => findChatFolder(query, chat.id)));
  };

  async function folder(): Promise<ChatFolder | undefined> {
    const row = await findRow();
    if (!row) return undefined;
    const { createChatFolder } = await import('./folder/chat-folder.ts');
    const find = async () => (await findRow()) ?? row;
    return createChatFolder(deps, { chatId: row.chatId, folder: row.folder, find });
  }

  return {
    files: createChatFiles(transfer),
    folder,
    async useFolder(path) {
      const chat = await its.find();
      if (!chat) throw new ClientError('InvalidInput', 'The conversation does not exist yet: begin it first.');
      const { refusePrivateFolder } = await import('../../git/repository/private-folders.ts');
      const real = await refusePrivateFolder(resolve(path), { ...(await settings()).projects, dataFolder: home });
      const row = await findRow();
      if (row && row.folder !== real) {
        throw new ClientError(
          'InvalidInput',
          `The conversation "${chat.name}" works on a copy of ${row.folder}. Leave --dir out, or begin another with --new.`,
        );
      }
      const { copyFolder } = await import('./folder/chat-folder.ts');
      const copied = row ? undefined : await copyFolder(deps, { chatId: chat.id, folder: real });
      const used = await folder();
      if (!used) throw new Error(`Expected the folder of ${chat.id}, which was just stored.`);
      return { folder: used, copied };
    },
  };
}
