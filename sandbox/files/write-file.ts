import type { FileOperation, SandboxFiles } from '../sandbox-files.ts';

/** Writes a whole file, creating its folders; on failure the file stays as it was. */
export async function writeFile(files: SandboxFiles, call: FileOperation & { content: string }): Promise<string> {
  const { created } = await files.write(call);
  const lines = call.content === '' ? 0 : call.content.replace(/\n$/, '').split('\n').length;
  return `${created ? 'Created' : 'Replaced'} "${call.path}" (${lines} ${lines === 1 ? 'line' : 'lines'}, ${Buffer.byteLength(call.content)} bytes).`;
}
