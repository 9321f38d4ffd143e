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
  /** Whether lines of a file may be shown; all may if absent. */
  mayRead?: (path: string) => boolean;
}

/** Finds the lines that match a regular expression, as `path:line:text`; files that .gitignore names are left out. */
export async function searchFiles(files: SandboxFiles, call: SearchFilesCall): Promise<string> {
  const { mayRead = () => true, ...search } = call;
  const { pattern, glob } = search;
  const limit = Math.max(1, Math.trunc(call.maxResults ?? defaultResults));
  const path = call.path || '.';
  const { lines: found, more } = await files.search({ ...search, path, limit, maxBytes });
  const lines = found.filter((line) => pathsIn(line).every(mayRead));
  const hidden = lines.length < found.length ? '(Lines of files that rules keep from you are left out.)' : undefined;
  if (lines.length === 0)
    return hidden ?? `Nothing matches ${JSON.stringify(pattern)} in "${path}"${glob ? ` (files ${glob})` : ''}.`;
  if (more) lines.push(`(Only the first ${lines.length} lines are shown. Narrow the pattern, path or glob.)`);
  if (hidden) lines.push(hidden);
  return lines.join('\n');
}

/** What may be the path of a `path:line:text`: a path and a text can have such a number too. */
function pathsIn(line: string): string[] {
  return [...line.matchAll(/:\d+:/g)].map(({ index }) => line.slice(0, index));
}
