import { randomUUID } from 'node:crypto';
import { addTransfer, findTransfer, readTransferredFiles, removeTransfer } from '../../db/files/transfers.ts';
import {
  isPlainPath,
  type ListedFile,
  maxTransfer,
  type TransferRequest,
  type TransferResult,
  type WorkspaceFile,
} from '../../domain/chat/files.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { ClientError } from '../errors.ts';
import type { ChatWorkflow } from './chat-workflow.ts';

/** The files in a chat's sandbox; paths are relative to its workspace, or begin with `/workspace/`. */
export interface ChatFiles {
  /**
   * Writes a file, in place of one that is there, and returns its path; the chat must exist.
   * @throws {ClientError} `InvalidInput` if it has more than 20 MiB or the path leads out of the workspace; `RequestRefused`; `NoWorker`.
   */
  put(path: string, content: Uint8Array, options?: { executable?: boolean }): Promise<string>;
  /** @throws {ClientError} `RequestRefused` if there is no such file, or it is too large; `NoWorker`. */
  get(path: string): Promise<Uint8Array>;
  /** A folder, by default all of the workspace, three levels deep, at most 500 entries. */
  list(path?: string): Promise<{ entries: ListedFile[]; more: boolean }>;
}

/** Carries out a request for files of a chat's sandbox. */
export type Transfer = (
  request: TransferRequest,
  files?: WorkspaceFile[],
) => Promise<{ result: TransferResult; files: WorkspaceFile[] }>;

/** `find` finds the chat's id and workflow; undefined if it does not exist yet. */
export function createTransfer(
  database: DatabaseAccess,
  find: () => Promise<{ id: string; workflow: Pick<ChatWorkflow, 'transfer'> } | undefined>,
): Transfer {
  return async (request, files = []) => {
    const chat = await find();
    if (!chat) throw new ClientError('InvalidInput', 'The conversation does not exist yet: begin it first.');
    const id = `files-${randomUUID()}`;
    await database.use((query) => addTransfer(query, { id, chatId: chat.id, request, files }));
    try {
      await chat.workflow.transfer({ id });
      return await database.use(async (query) => ({
        result: (await findTransfer(query, id))?.result ?? {},
        files: request.kind === 'get' ? await readTransferredFiles(query, id) : [],
      }));
    } finally {
      await database.use((query) => removeTransfer(query, id));
    }
  };
}

export function createChatFiles(transfer: Transfer): ChatFiles {
  return {
    async put(given, content, { executable = false } = {}) {
      const path = expectPath(given);
      if (content.length > maxTransfer.fileBytes)
        throw new ClientError(
          'InvalidInput',
          `${given} has ${content.length} bytes; a file may have at most ${maxTransfer.fileBytes}.`,
        );
      await transfer({ kind: 'put' }, [{ path, executable, content }]);
      return path;
    },
    async get(given) {
      const { files } = await transfer({ kind: 'get', paths: [expectPath(given)] });
      if (!files[0]) throw new Error(`Expected the file ${given}, got none.`);
      return files[0].content;
    },
    async list(path = '.') {
      const { result } = await transfer({ kind: 'list', path });
      return { entries: result.entries ?? [], more: result.more ?? false };
    },
  };
}

/** @throws {ClientError} `InvalidInput` */
function expectPath(given: string): string {
  const path = given.replace(/^\/workspace\//, '').replace(/^(\.\/+)+/, '');
  if (isPlainPath(path)) return path;
  throw new ClientError(
    'InvalidInput',
    `Expected a path below /workspace without "..", ".git" and control characters, got ${JSON.stringify(given)}.`,
  );
}
