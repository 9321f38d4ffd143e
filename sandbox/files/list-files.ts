import type { FileEntry, FileOperation, SandboxFiles } from '../sandbox-files.ts';

const defaultDepth = 3;
const maxEntries = 500;
const maxBytes = 24_000;

/** Lists the content of a folder, without .git and what package managers install. */
export async function listFiles(
  files: SandboxFiles,
  call: Omit<FileOperation, 'path'> & { path?: string | undefined; depth?: number | undefined },
): Promise<string> {
  const path = call.path || '.';
  const depth = Math.max(1, Math.trunc(call.depth ?? defaultDepth));
  const { entries, more } = await files.list({ ...call, path, depth, limit: maxEntries, maxBytes });
  if (entries.length === 0) return `"${path}" is empty.`;
  const lines = entries.map(formatEntry);
  if (more) lines.push(`(Only the first ${lines.length} entries are shown. Use a narrower path or less depth.)`);
  return lines.join('\n');
}

function formatEntry({ type, path, size, target }: FileEntry): string {
  if (type === 'folder') return `${path}/`;
  if (type === 'not-listed') return `${path}/ (not listed)`;
  return type === 'link' ? `${path} -> ${target}` : `${path} (${size} bytes)`;
}
