import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SandboxError } from '../../errors.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { FileEntry, SandboxFiles } from '../../sandbox-files.ts';
import { runFileScript } from './run-file-script.ts';

/** The files of a container's workspace: each operation is a script that runs as a command in it. */
export function createDockerFiles(sandbox: Pick<Sandbox, 'run' | 'readLog'>): SandboxFiles {
  return {
    async readLines({ offset, limit, maxBytes, ...operation }) {
      const values = { OFFSET: offset, LIMIT: limit, BYTES: maxBytes };
      const { output } = await runFileScript(sandbox, operation, 'read-file', { values });
      const end = output.text.indexOf('\n');
      const [size = 0, lineCount = 0] = output.text.slice(0, end).split(' ').map(Number);
      return { size, lineCount, text: output.text.slice(end + 1), cutOff: output.totalBytes - end - 1 >= maxBytes };
    },

    async read({ maxBytes, ...operation }) {
      const values = { BYTES: maxBytes };
      const { id, output } = await runFileScript(sandbox, operation, 'read-whole-file', { values });
      // Complete, valid output is the file's content; otherwise fetch the raw bytes.
      if (!output.truncated && !output.text.includes('\uFFFD')) return Buffer.from(output.text);
      const log = await sandbox.readLog(id);
      if (log === undefined) throw new SandboxError('FileRefused', `Could not read "${operation.path}". Try again.`);
      return buffer(log.bytes);
    },

    async write({ content, ...operation }) {
      const { output } = await runFileScript(sandbox, operation, 'write-file', { input: content });
      return { created: output.text.trim() === 'created' };
    },

    async replace({ before, after, ...operation }) {
      const values = { BEFORE: hash(before), AFTER: hash(after) };
      await runFileScript(sandbox, operation, 'replace-file', { values, input: after.toString('base64') });
    },

    async list({ depth, limit, maxBytes, ...operation }) {
      const values = { DEPTH: depth, LIMIT: limit + 1, BYTES: maxBytes };
      const { output } = await runFileScript(sandbox, operation, 'list-files', { values });
      const lines = output.text.split('\n');
      // After the last newline comes nothing, or an entry that was cut off.
      lines.pop();
      const more = lines.length > limit || output.totalBytes >= maxBytes;
      return { entries: lines.slice(0, limit).map(toEntry), more };
    },

    async search({ pattern, glob = '', limit, maxBytes, ...operation }) {
      const values = { PATTERN: pattern, GLOB: glob, LIMIT: limit + 1, BYTES: maxBytes };
      const { output } = await runFileScript(sandbox, operation, 'search-files', { values });
      const lines = output.text.split('\n').filter((line) => line !== '');
      const more = lines.length > limit || output.totalBytes >= maxBytes;
      return { lines: lines.slice(0, limit).map((line) => line.replace(/^\.\//, '')), more };
    },
  };
}

const entryTypes: Record<string, FileEntry['type']> = { d: 'folder', p: 'not-listed', l: 'link' };

function toEntry(line: string): FileEntry {
  const [letter = '', size, path = '', target = ''] = line.split('\t');
  const type = entryTypes[letter] ?? 'file';
  return { type, path, size: Number(size), ...(type === 'link' ? { target } : {}) };
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
