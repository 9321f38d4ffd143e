import type { FileSandbox, FileToolCall } from './file-sandbox.ts';
import { runFileScript } from './run-file-script.ts';

/** Writes a whole file, creating its folders; on failure the file stays as it was. */
export async function writeFile(
  sandbox: FileSandbox,
  call: FileToolCall & { path: string; content: string },
): Promise<string> {
  const { result } = await runFileScript(sandbox, call, { name: 'write-file', path: call.path, input: call.content });
  const done = result.output.text.trim() === 'created' ? 'Created' : 'Replaced';
  const lines = call.content === '' ? 0 : call.content.replace(/\n$/, '').split('\n').length;
  return `${done} "${call.path}" (${lines} ${lines === 1 ? 'line' : 'lines'}, ${Buffer.byteLength(call.content)} bytes).`;
}
