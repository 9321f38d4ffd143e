import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';

/** The new content of files, or where they link to; null for one that is removed. */
export type FileChanges = Record<string, string | { link: string } | null>;

/** A host repository with a shallow bare clone of its last commit, to fill a workspace from and to fetch snapshots into. */
export async function makeRepository(files: Record<string, string>, objectFormat: 'sha1' | 'sha256' = 'sha1') {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-test-repository-'));
  const work = join(folder, 'work');
  const bare = join(folder, 'bare.git');
  await mkdir(work);
  const git = (...values: string[]): Promise<string> =>
    execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@longhaul.invalid', ...values], { cwd: work }).then(
      (result) => result.stdout,
    );
  await git('init', '-q', '-b', 'main', `--object-format=${objectFormat}`);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), content);
  }
  await git('add', '-A');
  await git('commit', '-q', '-m', 'first');
  await writeFile(join(work, 'second.txt'), 'second\n');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'second');
  const commit = await git('rev-parse', 'HEAD');
  await git('clone', '-q', '--bare', '--depth', '1', `file://${work}`, bare);
  return {
    commit,
    git,
    /** A tar of the bare, shallow `.git`. */
    tar(): Readable {
      return execa('tar', ['-C', bare, '-c', '.'], { buffer: false, reject: false }).stdout as Readable;
    },
    /** Commits changes to files on top of a commit, without a branch. */
    async commitOn(base: string, changes: FileChanges): Promise<string> {
      await git('checkout', '-q', '--detach', base);
      for (const [path, content] of Object.entries(changes)) {
        await rm(join(work, path), { force: true });
        await mkdir(dirname(join(work, path)), { recursive: true });
        if (typeof content === 'string')
          await writeFile(join(work, path), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
        else if (content !== null) await symlink(content.link, join(work, path));
      }
      await git('add', '-A', '--force');
      await git('commit', '-q', '-m', 'work');
      const made = await git('rev-parse', 'HEAD');
      await git('checkout', '-q', 'main');
      return made;
    },
    /** Fetches a snapshot, checks it, and returns the paths in it. */
    async take(bundle: Buffer, snapshot: string): Promise<string[]> {
      const file = join(folder, 'snapshot.bundle');
      await writeFile(file, bundle);
      await git('bundle', 'verify', '-q', file);
      await git('fetch', '-q', file, '+refs/longhaul/snapshot:refs/longhaul/snapshot');
      await git('fsck', '--no-dangling', snapshot);
      return (await git('ls-tree', '-r', '--name-only', snapshot)).split('\n');
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
