import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { request } from '../downloads/take-from-sources.ts';
import type { PinnedTool } from './pinned-tool.ts';

/** Milliseconds. Many networks are closed: a short wait for the first, small request shows this quickly. */
const answerMs = 4_000;
const archiveMs = 300_000;

const downloadInformation = z.object({ archiveUrl: z.url(), fileToExtract: z.string().min(1) });

/** Downloads the program from where the SDK itself gets it; returns its file in the folder. */
export async function downloadTool(
  tool: PinnedTool,
  folder: string,
  options: { signal: AbortSignal; onProgress: (what: string) => void },
): Promise<string> {
  const query = new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform: process.platform,
    format: 'tar.gz',
  });
  const answer = await request(
    `https://temporal.download/${tool.artifact}/v${tool.version}?${query}`,
    AbortSignal.any([options.signal, AbortSignal.timeout(answerMs)]),
  );
  const { archiveUrl, fileToExtract } = downloadInformation.parse(await answer.json());
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(archiveMs)]);
  const archive = await request(archiveUrl, signal);
  if (archive.body === null) throw new Error(`expected an archive at ${archiveUrl}, got an empty answer`);

  const file = join(folder, tool.executable);
  let found = false;
  let bytes = 0;
  const body = Readable.fromWeb(archive.body).on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    options.onProgress(`${tool.executable} ${tool.version} from temporal.download, ${Math.round(bytes / 1e6)} MB`);
  });
  const entries = extract();
  const unpacked = pipeline(body, createGunzip(), entries, { signal });
  unpacked.catch(() => {}); // reported by the await below; the loop over entries may end first
  for await (const entry of entries) {
    if (entry.header.name.replace(/^\.\//, '') === fileToExtract) {
      await pipeline(entry, createWriteStream(file), { signal });
      found = true;
    } else {
      entry.resume();
    }
  }
  await unpacked;
  if (!found) throw new Error(`expected ${fileToExtract} in ${archiveUrl}, found no such entry`);
  return file;
}
