import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { ChatFolder, Copied } from '../../client/chat/folder/chat-folder.ts';
import { ClientError } from '../../client/errors.ts';
import { countOf } from '../../client/format/count.ts';
import type { FolderChange } from '../../domain/chat/folder-changes.ts';
import { printable, printableLine } from '../render/printable.ts';

/** How the commands for a chat's folder talk with the person. */
export interface FolderTalk {
  print(text: string): void;
  /** Asks a yes-or-no question. */
  ask(question: string): Promise<boolean>;
}

/** Most changes that are listed. */
const listed = 50;
const marks = { added: 'A', changed: 'M', deleted: 'D' } as const;

/** Shows what was changed in the copy. */
export async function diffFolder(chat: ChatHandle, { print }: Pick<FolderTalk, 'print'>): Promise<void> {
  const folder = await folderOf(chat);
  const changes = await folder.changes();
  if (changes.length === 0) return print('Nothing was changed in the copy.');
  print(printable(await folder.diff()).trimEnd());
  print(`${countOf(changes.length, 'file')} changed in the copy of ${folder.path}:\n${list(changes)}`);
}

/** Writes the changes of the copy to the person's folder after a yes, and after another what runs by itself there. */
export async function applyFolder(chat: ChatHandle, { print, ask }: FolderTalk): Promise<void> {
  const folder = await folderOf(chat);
  const plan = await folder.plan();
  const { changes, asked, conflicts, refused } = plan;
  if (changes.length === 0 && conflicts.length === 0 && refused === undefined) {
    await folder.apply(plan);
    return print(`There is nothing to write: ${folder.path} already has every change.`);
  }
  if (conflicts.length > 0 || refused !== undefined) return folder.apply(plan); // says why not
  const own = new Set(asked.map(({ path }) => path));
  const plain = changes.filter(({ path }) => !own.has(path));
  if (plain.length > 0) print(list(plain));
  const without = new Set<string>();
  if (plain.length > 0 && !(await ask(`Write ${countOf(plain.length, 'file')} to ${folder.path}?`)))
    return print('Nothing was written.');
  if (own.size > 0) {
    const rules = asked.map(({ path, rule }) => `${printableLine(path)} (${printableLine(rule)})`);
    print(`These run by themselves in your folder: when it is opened or entered, or by git.\n  ${rules.join('\n  ')}`);
    if (!(await ask(`Write ${own.size === 1 ? 'it' : 'them'} too?`))) for (const path of own) without.add(path);
  }
  const written = changes.length - without.size;
  if (written === 0) return print('Nothing was written.');
  await folder.apply(plan, { without: [...without] });
  print(`Written to ${folder.path}: ${countOf(written, 'file')}.`);
}

/** Drops the changes of the copy: it is made anew from the folder. */
export async function discardFolder(chat: ChatHandle, { print, ask }: FolderTalk): Promise<void> {
  const folder = await folderOf(chat);
  if (!(await ask(`Drop every change in the copy, and copy ${folder.path} again?`)))
    return print('Nothing was changed.');
  print(describeCopy(folder, await folder.discard()));
}

export function describeCopy({ path }: Pick<ChatFolder, 'path'>, { files, left }: Copied): string {
  const shown = left.slice(0, 5).map(printableLine).join(', ');
  const rest = left.length > 5 ? ` and ${left.length - 5} more` : '';
  const note = left.length
    ? ` Left out, since they are too large, hold secrets or lead out of it: ${shown}${rest}.`
    : '';
  return `The assistant works on a copy of ${path} (${countOf(files, 'file')}). /diff shows its changes, /apply writes them.${note}`;
}

async function folderOf(chat: ChatHandle): Promise<ChatFolder> {
  const folder = await chat.folder();
  if (folder) return folder;
  throw new ClientError(
    'InvalidInput',
    'This conversation works on no folder. `longhaul chat --dir <folder>` begins one that does.',
  );
}

function list(changes: FolderChange[]): string {
  const lines = changes.slice(0, listed).map(({ kind, path }) => `  ${marks[kind]} ${printableLine(path)}`);
  if (changes.length > listed) lines.push(`  and ${changes.length - listed} more`);
  return lines.join('\n');
}
