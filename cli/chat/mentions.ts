import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import { isWithin } from '../../client/is-within.ts';
import { givenFolder, isPlainPath } from '../../domain/chat/files.ts';
import { imageTypeOf, maxImages } from '../../domain/chat/images.ts';

/** How a message with files ends, after the person's words. */
const begin = '\n\n[Files: ';

export interface Mention {
  /** As it was typed, with the `@`. */
  typed: string;
  /** Absolute. */
  path: string;
}

/** A message with its pictures, as it is sent. */
export interface MessageWithFiles {
  text: string;
  images: Uint8Array[];
}

export interface MessageToSend {
  text: string;
  /** Of it what the person typed: pasted and piped text, and that of a command, may be a stranger's and name the person's secrets. */
  typed: string;
  folder: string;
  note(line: string): void;
}

/**
 * Puts the files that a person mentions as `@path` into the chat's sandbox, and returns the message with a note of where they are, and with those that
 * are pictures. What names no file stays as it is.
 */
export async function sendMentioned(
  chat: ChatHandle,
  { text, typed, folder, note }: MessageToSend,
): Promise<MessageWithFiles> {
  const images: Uint8Array[] = [];
  if (text.includes(begin)) return { text, images }; // it is asked again
  const mentions = await findMentions(typed, folder, note);
  if (mentions.length === 0) return { text, images };
  await chat.begin(text);
  const places: string[] = [];
  for (const { typed: name, path } of mentions) {
    const content = await readFile(path);
    if (imageTypeOf(content) && content.length <= maxImages.bytes && images.length < maxImages.perMessage)
      images.push(content);
    places.push(`${name} is /workspace/${await provide(chat, { path, content }, folder)}`);
  }
  return { text: `${text}${begin}${places.join('; ')}.]`, images };
}

/** The files that a message mentions: `@notes.txt`, `@"two words.txt"`; punctuation behind a name is none of it. */
export async function findMentions(text: string, folder: string, note: (line: string) => void): Promise<Mention[]> {
  const found = new Map<string, Mention>();
  for (const [, quoted, plain] of text.matchAll(/(?<=^|[\s([])@(?:"([^"\n]+)"|(\S+))/g)) {
    const names = quoted === undefined ? namesIn(plain ?? '') : [quoted];
    let isThere = false;
    for (const name of names) {
      const path = resolve(folder, name.replace(/^~(?=\/)/, homedir()));
      const stats = await stat(path).catch(() => undefined);
      if (!stats) continue;
      isThere = true;
      const typed = quoted === undefined ? `@${name}` : `@"${name}"`;
      if (await leavesByLink(path, folder))
        note(`[${typed} is a link that leads out of ${folder}, so it was not sent. Name the file that it leads to.]`);
      else if (stats.isFile()) found.set(path, { typed, path });
      else note(`[${typed} is not a file, so it was not sent. \`longhaul chat --dir\` sends a folder.]`);
      break;
    }
    const last = names.at(-1) ?? '';
    // A name without a dot or a slash may be a person's.
    if (!isThere && /[./]\w/.test(last)) note(`[There is no file ${last} in ${folder}, so none was sent.]`);
  }
  return [...found.values()];
}

/** Whether a path in a folder, which may be that of a stranger's repository, leads to somewhere else. */
async function leavesByLink(path: string, folder: string): Promise<boolean> {
  return isWithin(path, folder) && !isWithin(await realpath(path), await realpath(folder));
}

/** The name as it stands, then without the punctuation at its end. */
function namesIn(text: string): string[] {
  return [text, text.replace(/[.,;:!?)\]}'"]+$/, '')].filter((name) => name !== '');
}

/** The path in the workspace: in the copy of a folder the file's own, else where it is put. */
async function provide(
  chat: ChatHandle,
  { path, content }: { path: string; content: Uint8Array },
  folder: string,
): Promise<string> {
  const copied = await chat.folder();
  if (copied) {
    const inCopy = relative(copied.path, await realpath(path));
    if (await copied.holds(inCopy)) return inCopy;
  }
  const near = relative(folder, path);
  const name = !isAbsolute(near) && isPlainPath(near) ? near : basename(path);
  const mode = (await stat(path)).mode;
  const executable = (mode & 0o100) !== 0;
  return chat.files.put(copied ? join(givenFolder, name) : name, content, { executable });
}
