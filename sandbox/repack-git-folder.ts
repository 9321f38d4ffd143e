import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Extract, extract, type Pack, pack } from 'tar-stream';

/**
 * Rewrites a tar of a bare `.git` (with or without that prefix) into one of `.git/` that belongs to one user. It contains only folders and plain
 * files, and no hooks.
 */
export function repackGitFolder(gitFolder: NodeJS.ReadableStream, owner: { uid: number; gid: number }): Pack {
  const entries = extract();
  const repacked = pack();
  // Any failure, or the reader stopping, ends all three streams.
  const source = gitFolder as Readable;
  repacked.on('close', () => source.destroy());
  pipeline(source, entries).catch((error: unknown) => repacked.destroy(error as Error));
  repack(entries, repacked, owner).catch((error: unknown) => repacked.destroy(error as Error));
  return repacked;
}

async function repack(entries: Extract, repacked: Pack, owner: { uid: number; gid: number }): Promise<void> {
  repacked.entry({ name: '.git', type: 'directory', mode: 0o755, ...owner });
  for await (const entry of entries) {
    const path = entry.header.name
      .replace(/^(\.\/)+/, '')
      .replace(/^\.git(\/|$)/, '')
      .replace(/\/+$/, '');
    const { type } = entry.header;
    const wanted = path !== '' && path !== '.' && !/^hooks(\/|$)/.test(path);
    if (wanted && type === 'directory') repacked.entry({ name: `.git/${path}`, type, mode: 0o755, ...owner });
    if (wanted && type === 'file') {
      const mode = path.startsWith('objects/') ? 0o444 : 0o644;
      await pipeline(entry, repacked.entry({ name: `.git/${path}`, size: entry.header.size, mode, ...owner }));
    } else {
      entry.resume();
    }
  }
  repacked.finalize();
}
