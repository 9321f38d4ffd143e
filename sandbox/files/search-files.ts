import type { FileOperation, SandboxFiles } from '../sandbox-files.ts';

const defaultResults = 100;
const maxBytes = 24_000;

export interface SearchFilesCall extends Omit<FileOperation, 'path'> {
  /** A regular expression. */
  pattern: string;
  path?: string | undefined;
  /** Pattern for file names, e.g. `*.ts`. */
  glob?: string | undefined;
  maxResults?: number | undefined;
}

/** Finds the lines that match a regular expression, as `path:line:text`; files that .gitignore names are left out. */
export async function searchFiles(files: SandboxFiles, call: SearchFilesCall): Promise<string> {
  const { pattern, glob } = call;
  const limit = Math.max(1, Math.trunc(call.maxResults ?? defaultResults));
  const path = call.path || '.';
  const { lines, more } = await files.search({ ...call, path, limit, maxBytes });
  if (lines.length === 0)
    return `Nothing matches ${JSON.stringify(pattern)} in "${path}"${glob ? ` (files ${glob})` : ''}.`;
  if (more) lines.push(`(Only the first ${lines.length} lines are shown. Narrow the pattern, path or glob.)`);
  return lines.join('\n');
}
