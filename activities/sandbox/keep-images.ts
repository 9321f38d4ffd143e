import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CodeImage } from '../../sandbox/code/execute-code.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const maxBytes = 10 * 1024 ** 2;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Copies the pictures that a call left in its sandbox to where the person can open them, under names made from the call's id. Returns the copies'
 * paths by the paths in the workspace; files that are not PNG or are too large are left out.
 */
export async function keepImages(
  sandbox: Pick<Sandbox, 'run' | 'readLog'>,
  call: { id: string; images: CodeImage[]; folder: string; cancel?: AbortSignal; detach?: AbortSignal },
): Promise<Map<string, string>> {
  const { cancel, detach } = call;
  const kept = new Map<string, string>();
  for (const [index, { path, size }] of call.images.entries()) {
    if (size > maxBytes) continue;
    const id = `${call.id}.image.${index + 1}`;
    const reading = await sandbox.run({
      id,
      script: `exec head -c ${maxBytes + 1} -- "$IMAGE"`,
      environment: { IMAGE: path },
      timeoutMs: 30_000,
      ...(cancel && { cancel }),
      ...(detach && { detach }),
    });
    const log = reading.exitCode === 0 ? await sandbox.readLog(id) : undefined;
    const content = log && (await buffer(log.bytes));
    if (!content || content.length > maxBytes || !content.subarray(0, 8).equals(signature)) continue;
    const file = join(call.folder, 'images', `${call.id}-${index + 1}.png`);
    await mkdir(join(call.folder, 'images'), { recursive: true });
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
    kept.set(path, file);
  }
  return kept;
}
