import type { FileSandbox, FileToolCall } from './file-sandbox.ts';
import { runFileScript } from './run-file-script.ts';

const defaultDepth = 3;
const mostEntries = 500;
const mostBytes = 24_000;

/** Lists what is below a folder, except .git and the files that package managers install. */
export async function listFiles(
  sandbox: FileSandbox,
  call: FileToolCall & { path?: string; depth?: number },
): Promise<string> {
  const path = call.path || '.';
  const depth = Math.max(1, Math.trunc(call.depth ?? defaultDepth));
  const { result } = await runFileScript(sandbox, call, {
    name: 'list-files',
    path,
    values: { DEPTH: String(depth), LIMIT: String(mostEntries + 1), BYTES: String(mostBytes) },
  });
  const lines = result.output.text.split('\n');
  // After the last newline comes nothing, or an entry that was cut off.
  lines.pop();
  const more = lines.length > mostEntries || result.output.totalBytes >= mostBytes;
  const entries = lines.slice(0, mostEntries).map(showEntry);
  if (entries.length === 0) return `"${path}" is empty.`;
  if (more) entries.push(`(There is more: ${entries.length} entries are shown. Give a path, or less depth.)`);
  return entries.join('\n');
}

function showEntry(line: string): string {
  const [type, size, path = '', target] = line.split('\t');
  if (type === 'd') return `${path}/`;
  if (type === 'p') return `${path}/ (not listed)`;
  if (type === 'l') return `${path} -> ${target}`;
  return `${path} (${size} bytes)`;
}
