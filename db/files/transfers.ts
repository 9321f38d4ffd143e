import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { TransferRequest, TransferResult, WorkspaceFile } from '../../domain/chat/files.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { fileTransfers, transferredFiles } from '../schema/files.ts';

/** Milliseconds after which a request whose client died is removed: a day. */
const maxAge = 24 * 60 * 60_000;
/** Bytes of the files that one query moves. */
const batchBytes = 4 * 1024 ** 2;
/** Files that one query moves: Postgres takes at most 65,535 parameters. */
const batchFiles = 1_000;

export type FileTransfer = typeof fileTransfers.$inferSelect;

/** Stores a request with its files for the chat's workflow. */
export async function addTransfer(
  database: Database,
  { files = [], ...transfer }: { id: string; chatId: string; request: TransferRequest; files?: WorkspaceFile[] },
): Promise<void> {
  await database.delete(fileTransfers).where(lt(fileTransfers.createdAt, new Date(Date.now() - maxAge)));
  await database.transaction(async (query) => {
    await query.insert(fileTransfers).values(transfer);
    await insertFiles(query, transfer.id, files);
  });
}

/** Undefined if its client has removed it. */
export async function findTransfer(query: Queryable, id: string): Promise<FileTransfer | undefined> {
  const [row] = await query.select().from(fileTransfers).where(eq(fileTransfers.id, id));
  return row;
}

/** Stores what a request brought, once. */
export async function endTransfer(
  database: Database,
  id: string,
  { result, files = [] }: { result: TransferResult; files?: WorkspaceFile[] },
): Promise<void> {
  await database.transaction(async (query) => {
    const [row] = await query.select().from(fileTransfers).where(eq(fileTransfers.id, id)).for('update');
    if (!row || row.result !== null) return;
    await insertFiles(query, id, files);
    await query.update(fileTransfers).set({ result }).where(eq(fileTransfers.id, id));
  });
}

/** The files that came with a request, or that it brought. */
export async function readTransferredFiles(query: Queryable, id: string): Promise<WorkspaceFile[]> {
  const ofTransfer = eq(transferredFiles.transferId, id);
  const sizes = await query
    .select({ path: transferredFiles.path, length: sql<number>`octet_length(${transferredFiles.content})` })
    .from(transferredFiles)
    .where(ofTransfer)
    .orderBy(transferredFiles.path);
  const files: WorkspaceFile[] = [];
  for (const batch of inBatches(sizes)) {
    const paths = batch.map(({ path }) => path);
    const rows = await query
      .select()
      .from(transferredFiles)
      .where(and(ofTransfer, inArray(transferredFiles.path, paths)));
    for (const { path, executable, content, link } of rows)
      files.push({ path, executable, content, ...(link !== null && { link }) });
  }
  return files;
}

export async function removeTransfer(database: Database, id: string): Promise<void> {
  await database.delete(fileTransfers).where(eq(fileTransfers.id, id));
}

async function insertFiles(query: Queryable, transferId: string, files: WorkspaceFile[]): Promise<void> {
  const sized = files.map((file) => ({ file, length: file.content.length }));
  for (const batch of inBatches(sized)) {
    const rows = batch.map(({ file: { path, executable, content, link = null } }) => ({
      ...{ transferId, path, executable, content, link },
    }));
    await query.insert(transferredFiles).values(rows);
  }
}

/** Groups files so that one query moves few bytes, or one large file. */
function inBatches<File extends { length: number }>(files: File[]): File[][] {
  const batches: File[][] = [];
  let room = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && file.length <= room && last.length < batchFiles) last.push(file);
    else batches.push([file]);
    room = (last === batches.at(-1) ? room : batchBytes) - file.length;
  }
  return batches;
}
