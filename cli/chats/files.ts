import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import { givenFolder } from '../../domain/chat/files.ts';
import { applyFolder, diffFolder, discardFolder, type FolderTalk } from '../chat/folder-changes.ts';
import { withChat } from '../chat/with-chat.ts';
import type { CommandContext } from '../program/command-context.ts';
import { printableLine } from '../render/printable.ts';

/** `longhaul chats put`: puts files of this machine into the sandbox of a conversation. */
export async function putFiles(
  context: CommandContext,
  name: string,
  paths: string[],
  { to }: { to?: string },
): Promise<void> {
  await withChat(context, name, async (chat) => {
    const place = to ?? ((await chat.folder()) ? givenFolder : '');
    for (const path of paths) {
      const file = resolve(context.folder, path);
      const stats = await stat(file).catch(() => undefined);
      if (!stats?.isFile())
        throw new ClientError('InvalidInput', `Expected a file at ${path}, found ${stats ? 'a folder' : 'nothing'}.`);
      const executable = (stats.mode & 0o100) !== 0;
      const put = await chat.files.put(join(place, basename(file)), await readFile(file), { executable });
      context.print(`${path} is /workspace/${put}`);
    }
  });
}

/** `longhaul chats get`: takes a file out of the sandbox of a conversation. */
export async function getFile(
  context: CommandContext,
  name: string,
  path: string,
  { to, force }: { to?: string; force?: boolean },
): Promise<void> {
  const content = await withChat(context, name, (chat) => chat.files.get(path));
  if (to === '-') {
    if (context.stdout.isTTY) context.writeText(Buffer.from(content).toString());
    else context.stdout.write(content);
    return;
  }
  const target = resolve(context.folder, to ?? basename(path));
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
  const file = isFolder ? join(target, basename(path)) : target;
  try {
    await writeFile(file, content, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new ClientError('InvalidInput', `There is a file ${file} already. --force replaces it, --to names another.`);
  }
  context.print(file);
}

/** `longhaul chats files`: lists the files in the sandbox of a conversation. */
export async function listFiles(
  context: CommandContext,
  name: string,
  path: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { entries, more } = await withChat(context, name, (chat) => chat.files.list(path));
  if (json) return context.printJson(entries);
  const lines = entries.map(
    ({ type, path: entry, size }) =>
      `${printableLine(entry)}${type === 'file' ? ` (${size} bytes)` : type === 'link' ? ' (link)' : '/'}`,
  );
  context.print(lines.join('\n') || 'There are no files.');
  if (more) context.note('There are more. Name a folder below.');
}

/** `longhaul chats diff | apply | discard`. */
export async function onFolder(
  context: CommandContext,
  name: string,
  action: 'diff' | 'apply' | 'discard',
  { yes }: { yes?: boolean },
): Promise<void> {
  const talk: FolderTalk = {
    print: (text) => context.print(context.withCommandName(text)),
    async ask(question) {
      if (yes) return true;
      if (!context.stdin.isTTY)
        throw new ClientError('InvalidInput', `Expected --yes, since there is no terminal to ask on: ${question}`);
      const { ask, isYes } = await import('../program/ask.ts');
      return isYes(await ask(context, `${question} [y/N] `));
    },
  };
  const actions = { diff: diffFolder, apply: applyFolder, discard: discardFolder };
  await withChat(context, name, (chat) => actions[action](chat, talk));
}
