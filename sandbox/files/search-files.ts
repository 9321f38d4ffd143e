import type { FileSandbox, FileToolCall } from './file-sandbox.ts';
import { runFileScript } from './run-file-script.ts';

const defaultResults = 100;
const mostBytes = 24_000;

export interface SearchFilesCall extends FileToolCall {
  /** A regular expression. */
  pattern: string;
  path?: string;
  /** Pattern for file names, e.g. `*.ts`. */
  glob?: string;
  maxResults?: number;
}

/** Finds the lines that match a regular expression, as `path:line:text`; files that .gitignore names are left out. */
export async function searchFiles(sandbox: FileSandbox, call: SearchFilesCall): Promise<string> {
  const limit = Math.max(1, Math.trunc(call.maxResults ?? defaultResults));
  const path = call.path || '.';
  const { result } = await runFileScript(sandbox, call, {
    name: 'search-files',
    path,
    values: { PATTERN: call.pattern, GLOB: call.glob ?? '', LIMIT: String(limit + 1), BYTES: String(mostBytes) },
  });
  const lines = result.output.text.split('\n').filter((line) => line !== '');
  if (lines.length === 0)
    return `Nothing matches ${JSON.stringify(call.pattern)} in "${path}"${call.glob ? ` (files ${call.glob})` : ''}.`;
  const shown = lines.slice(0, limit).map((line) => line.replace(/^\.\//, ''));
  if (lines.length > limit || result.output.totalBytes >= mostBytes)
    shown.push(`(There is more: ${shown.length} lines are shown. Narrow the pattern, path or glob.)`);
  return shown.join('\n');
}
