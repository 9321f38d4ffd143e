import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChatFolderRow, setChatFolder } from '../../../db/files/chat-folders.ts';
import type { FileFacts, FolderFacts, WorkspaceFile } from '../../../domain/chat/files.ts';
import { compareFolder, type FolderChange, isSame } from '../../../domain/chat/folder-changes.ts';
import { isInstructionFile } from '../../../domain/instructions/instruction-files.ts';
import type { Rule } from '../../../domain/permissions/rule.ts';
import { rulesInForce } from '../../../domain/permissions/rules-in-force.ts';
import { storableText } from '../../../domain/storable-text.ts';
import type { DatabaseAccess } from '../../connection/database-access.ts';
import { ClientError } from '../../errors.ts';
import type { Transfer } from '../chat-files.ts';
import { diffOf } from './diff-of.ts';
import { type ApplyPlan, type Contents, lookAt, planApply } from './plan-apply.ts';
import { factsOf, readFolder } from './read-folder.ts';
import { writeChanges } from './write-changes.ts';

/** A folder of the person's that a chat works on a copy of, in its sandbox. */
export interface ChatFolder {
  /** Absolute, on this machine. */
  readonly path: string;
  /** Whether the copy was made with a file of this path. */
  holds(path: string): Promise<boolean>;
  /**
   * How the copy differs from the folder as it was copied, or as it was last written.
   * @throws {ClientError} `RequestRefused` if the sandbox has lost the copy.
   */
  changes(): Promise<FolderChange[]>;
  /** The same as a unified diff against the folder as it is now. */
  diff(): Promise<string>;
  /** What `apply` would do; writes nothing. */
  plan(): Promise<PlannedApply>;
  /**
   * Writes what was planned to the folder, except the `without` paths.
   * @throws {ClientError} `RequestRefused` if the plan has conflicts or is refused, or if anything changed since.
   */
  apply(plan: PlannedApply, options?: { without?: string[] }): Promise<void>;
  /** Makes the copy anew from the folder as it is now; returns the files that are left out. */
  discard(): Promise<Copied>;
}

export interface PlannedApply extends ApplyPlan {
  contents: Contents;
}

export interface Copied {
  files: number;
  /** Too large, there to hold secrets, or links that leave the folder. */
  left: string[];
}

export interface FolderDependencies {
  database: DatabaseAccess;
  transfer: Transfer;
  rules(): Promise<readonly Rule[]>;
}

/** Copies a folder into a chat's sandbox, in place of all that is there but what the person gave. */
export async function copyFolder(
  { database, transfer }: FolderDependencies,
  { chatId, folder }: Pick<ChatFolderRow, 'chatId' | 'folder'>,
): Promise<Copied> {
  const { files, facts, left } = await readFolder(folder);
  const copy = `copy-${randomUUID()}`;
  await transfer({ kind: 'copy', copy }, files);
  await database.use((query) =>
    setChatFolder(query, { chatId, folder, copy, base: facts, instructions: instructionsIn(files) }),
  );
  return { files: files.length, left };
}

/** The texts of the files with standing instructions. */
function instructionsIn(files: readonly WorkspaceFile[]): Record<string, string> {
  const found = files.filter(({ path, link }) => link === undefined && isInstructionFile(path));
  return Object.fromEntries(found.map(({ path, content }) => [path, storableText(Buffer.from(content).toString())]));
}

/** `find` reads the row anew, since another client may have changed it. */
export function createChatFolder(
  deps: FolderDependencies,
  { chatId, folder, find }: Pick<ChatFolderRow, 'chatId' | 'folder'> & { find(): Promise<ChatFolderRow> },
): ChatFolder {
  async function look(): Promise<{ row: ChatFolderRow; now: FolderFacts; changes: FolderChange[] }> {
    const row = await find();
    const { result } = await deps.transfer({ kind: 'look' });
    if (result.copy !== row.copy || !result.files) {
      throw new ClientError(
        'RequestRefused',
        `The sandbox has lost its copy of ${folder}. /discard, or \`longhaul chats discard\`, copies it again.`,
      );
    }
    return { row, now: result.files, changes: compareFolder(row.base, result.files) };
  }

  async function fetch(changes: FolderChange[]): Promise<Contents> {
    const wanted = changes.flatMap(({ path, after }) => (after ? [{ path, after }] : []));
    if (wanted.length === 0) return new Map();
    const { files } = await deps.transfer({ kind: 'get', paths: wanted.map(({ path }) => path) });
    const contents = new Map(files.map((file) => [file.path, file]));
    for (const { path, after } of wanted) {
      const file = contents.get(path);
      if (!file || !hasHash(after, factsOf(file))) {
        throw new ClientError('RequestRefused', `${path} changed in the sandbox while it was read. Try again.`);
      }
    }
    return contents;
  }

  async function plan(): Promise<PlannedApply> {
    const { row, now, changes } = await look();
    const rules = rulesInForce(await deps.rules());
    const planned = await planApply(folder, { changes, base: row.base, now, rules });
    return { ...planned, contents: await fetch(planned.changes) };
  }

  return {
    path: folder,
    holds: async (path) => Object.hasOwn((await find()).base, path),
    changes: async () => (await look()).changes,
    async diff() {
      const { changes } = await look();
      const contents = await fetch(changes);
      const parts: string[] = [];
      for (const { path } of changes) {
        const there = await lookAt(folder, path);
        const isFile = there !== undefined && there !== 'blocked' && 'hash' in there;
        const before = isFile ? await readFile(join(folder, path)) : undefined;
        parts.push(diffOf(path, before, contents.get(path)?.content));
      }
      return parts.join('');
    },
    plan,
    async apply(planned, { without = [] } = {}) {
      if (planned.refused !== undefined) throw new ClientError('RequestRefused', planned.refused);
      expectNoConflicts(folder, planned.conflicts);
      const changes = planned.changes.filter(({ path }) => !without.includes(path));
      for (const { path, before, after } of changes) {
        const there = await lookAt(folder, path);
        if (there === 'blocked' || !(isSame(there, before) || isSame(there, after))) expectNoConflicts(folder, [path]);
      }
      await writeChanges(folder, changes, planned.contents);
      const row = await find();
      const base = new Map(Object.entries(row.base));
      for (const { path, after } of [...planned.done, ...changes]) {
        if (after) base.set(path, after);
        else base.delete(path);
      }
      await deps.database.use((query) => setChatFolder(query, { ...row, base: Object.fromEntries(base) }));
    },
    discard: () => copyFolder(deps, { chatId, folder }),
  };
}

function hasHash(expected: FileFacts, found: FileFacts): boolean {
  return 'hash' in expected && 'hash' in found && expected.hash === found.hash;
}

function expectNoConflicts(folder: string, conflicts: string[]): void {
  if (conflicts.length === 0) return;
  throw new ClientError(
    'RequestRefused',
    `Nothing was written: ${conflicts.slice(0, 10).join(', ')} changed in ${folder} since it was copied. Put your own changes aside and apply again, take a file with \`longhaul chats get\`, or /discard to start over from the folder as it is.`,
  );
}
