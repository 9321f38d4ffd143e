import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Extract, extract, type Pack, pack } from 'tar-stream';
import { agentUser } from './container-spec.ts';

/**
 * Rewrites a tar of a bare `.git` (with or without that name in front) into one of `.git/` that belongs to the sandbox's
 * user; holds folders and plain files only, and no hooks.
 */
export function repackGitFolder(gitFolder: NodeJS.ReadableStream): Pack {
  const entries = extract();
  const repacked = pack();
  // Whatever fails, or the reader letting go, ends all three.
  const source = gitFolder as Readable;
  repacked.on('close', () => source.destroy());
  pipeline(source, entries).catch((error: unknown) => repacked.destroy(error as Error));
  repack(entries, repacked).catch((error: unknown) => repacked.destroy(error as Error));
  return repacked;
}

async function repack(entries: Extract, repacked: Pack): Promise<void> {
  const owner = { uid: agentUser, gid: agentUser };
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
