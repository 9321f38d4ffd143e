import { mkdir, readdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { SandboxError } from '../../sandbox/errors.ts';
import { fileRefusals, formatMissing } from '../../sandbox/files/file-refusals.ts';
import { toText } from '../../sandbox/output-text.ts';
import type { FileEntry, FileOperation, SandboxFiles } from '../../sandbox/sandbox-files.ts';
import type { WorkspaceRepository } from './workspace-repository.ts';

const unlisted = new Set(['node_modules', '.venv', '__pycache__']);

/** The files of a workspace that is a folder on this machine. */
export function createScriptedFiles(workspace: string, repository: WorkspaceRepository): SandboxFiles {
  return {
    async readLines({ path, offset, limit, maxBytes }) {
      const content = await readExisting(path);
      if (content.subarray(0, 65_536).includes(0))
        throw new SandboxError('FileRefused', fileRefusals.binary(path, String(content.length)));
      const lines = splitLines(content);
      const wanted = Buffer.concat(lines.slice(offset - 1, offset - 1 + limit));
      return {
        size: content.length,
        lineCount: lines.length,
        text: toText(wanted.subarray(0, maxBytes)),
        cutOff: wanted.length >= maxBytes,
      };
    },

    async read({ path, maxBytes }) {
      const content = await readExisting(path);
      if (content.subarray(0, 65_536).includes(0))
        throw new SandboxError('FileRefused', fileRefusals.binary(path, String(content.length)));
      if (content.length > maxBytes)
        throw new SandboxError('FileRefused', fileRefusals.tooLarge(path, String(content.length)));
      return content;
    },

    async write({ path, content }) {
      const { host } = await locate(path);
      const found = await stat(host).catch(() => undefined);
      if (found?.isDirectory()) throw new SandboxError('FileRefused', fileRefusals.folder(path));
      if (found && !found.isFile()) throw new SandboxError('FileRefused', fileRefusals.notFile(path));
      await put(path, host, content, found?.mode);
      return { created: found === undefined };
    },

    async replace({ path, before, after }) {
      const { host } = await locate(path);
      const content = await readExisting(path);
      if (content.equals(after)) return;
      if (!content.equals(before)) throw new SandboxError('FileRefused', fileRefusals.changed(path));
      await put(path, host, after, (await stat(host)).mode);
    },

    async list({ path, depth, limit, maxBytes }) {
      const { host } = await locate(path);
      const found = await stat(host).catch(() => undefined);
      if (!found) throw await missing(path, host);
      if (!found.isDirectory()) throw new SandboxError('FileRefused', fileRefusals.notFolder(path));
      const entries = await walk(host, '', depth);
      entries.sort((left, right) => Buffer.compare(Buffer.from(left.path), Buffer.from(right.path)));
      let bytes = 0;
      const within = entries.filter((entry) => {
        bytes += Buffer.byteLength(`${entry.path}${entry.target ?? ''}${entry.size}`) + 5;
        return bytes < maxBytes;
      });
      return { entries: within.slice(0, limit), more: within.length < entries.length || within.length > limit };
    },

    async search({ path, pattern, glob, limit, maxBytes }) {
      const { host } = await locate(path);
      const found = await stat(host).catch(() => undefined);
      if (!found) throw await missing(path, host);
      const target = relative(workspace, host) || '.';
      const result = await repository.search(target, pattern, found.isDirectory() ? glob : undefined);
      if (result.invalid !== undefined)
        throw new SandboxError('FileRefused', fileRefusals.badPattern(path, result.invalid));
      const lines = result.lines.map((line) => line.slice(0, 400));
      let bytes = 0;
      const within = lines.filter((line) => {
        bytes += Buffer.byteLength(line) + 1;
        return bytes < maxBytes;
      });
      return { lines: within.slice(0, limit), more: within.length < lines.length || within.length > limit };
    },
  };

  /** The place on this machine that a path means, with links followed. */
  async function locate(path: string): Promise<{ host: string }> {
    if (path.includes('\0')) throw new SandboxError('FileRefused', 'A path or pattern cannot contain a NUL character.');
    const inside = posix.resolve('/workspace', path);
    if (inside !== '/workspace' && !inside.startsWith('/workspace/'))
      throw new SandboxError('FileRefused', fileRefusals.outsideWorkspace(path, inside));
    const host = await followLinks(join(workspace, inside.slice('/workspace'.length)), path);
    if (host !== workspace && !host.startsWith(workspace + sep))
      throw new SandboxError('FileRefused', fileRefusals.outsideWorkspace(path, host));
    return { host };
  }

  async function readExisting(path: string): Promise<Buffer> {
    const { host } = await locate(path);
    const found = await stat(host).catch(() => undefined);
    if (!found) throw await missing(path, host);
    if (found.isDirectory()) throw new SandboxError('FileRefused', fileRefusals.folder(path));
    if (!found.isFile()) throw new SandboxError('FileRefused', fileRefusals.notFile(path));
    return readFile(host);
  }

  async function missing(path: string, host: string): Promise<SandboxError> {
    let folder = dirname(host);
    while (!(await stat(folder).catch(() => undefined))?.isDirectory()) folder = dirname(folder);
    const name = basename(host).toLowerCase();
    const all = await walk(workspace, '', Number.POSITIVE_INFINITY);
    const sameName = all.filter((entry) => basename(entry.path).toLowerCase() === name).map((entry) => entry.path);
    const entries = (await readdir(folder)).sort().slice(0, 40);
    return new SandboxError(
      'FileRefused',
      formatMissing(path, { sameName: sameName.slice(0, 5), folder: relative(workspace, folder), entries }),
    );
  }
}

async function followLinks(host: string, path: string): Promise<string> {
  try {
    return await realpath(host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      // A dangling link may point out of the workspace.
      const target = await readlink(host).catch(() => undefined);
      if (target !== undefined) return followLinks(join(dirname(host), target), path);
      return join(await followLinks(dirname(host), path), basename(host));
    }
    const reason = 'The path cannot be followed: a loop of symbolic links, or a name that is too long.';
    throw new SandboxError('FileRefused', fileRefusals.unusable(path, reason));
  }
}

/** Writes a file whole or not at all. */
async function put(path: string, host: string, content: string | Buffer, mode = 0o644): Promise<void> {
  const temporary = join(dirname(host), `.longhaul-${basename(host)}`);
  try {
    await mkdir(dirname(host), { recursive: true });
    await writeFile(temporary, content, { mode });
    await rename(temporary, host);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new SandboxError('FileRefused', fileRefusals.notWritten(path, (error as Error).message));
  }
}

async function walk(folder: string, prefix: string, depth: number): Promise<FileEntry[]> {
  const found: FileEntry[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = `${prefix}${entry.name}`;
    const place = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      found.push({ type: 'link', path, size: 0, target: await readlink(place) });
    } else if (entry.isDirectory()) {
      const listed = !unlisted.has(entry.name);
      found.push({ type: listed ? 'folder' : 'not-listed', path, size: 0 });
      if (listed && depth > 1) found.push(...(await walk(place, `${path}/`, depth - 1)));
    } else {
      found.push({ type: 'file', path, size: (await stat(place)).size });
    }
  }
  return found;
}

function splitLines(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < content.length; ) {
    const newline = content.indexOf(0x0a, start);
    const end = newline === -1 ? content.length : newline + 1;
    lines.push(content.subarray(start, end));
    start = end;
  }
  return lines;
}

/** A retry with the same id gets the first result, even if its arguments differ. */
export function rememberOperations(files: SandboxFiles, before: () => void): SandboxFiles {
  const known = new Map<string, Promise<unknown>>();
  const once =
    <Operation extends FileOperation, Result>(work: (operation: Operation) => Promise<Result>) =>
    (operation: Operation): Promise<Result> => {
      before();
      const result = (known.get(operation.id) as Promise<Result> | undefined) ?? work(operation);
      known.set(operation.id, result);
      return result;
    };
  return {
    readLines: once(files.readLines),
    read: once(files.read),
    write: once(files.write),
    replace: once(files.replace),
    list: once(files.list),
    search: once(files.search),
  };
}
