import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { createProjectRepository } from '../../git/create-project-repository.ts';
import type { ProjectRepository } from '../../git/project-repository.ts';

/** A folder of temporary folders for one test file, and a person's home without any git configuration. */
export interface GitFixture {
  root: string;
  home: string;
  environment: NodeJS.ProcessEnv;
  folder(): Promise<string>;
  /** A project with one commit of these files by the harness. */
  project(files?: Record<string, string>): Promise<{ repository: ProjectRepository; head: string }>;
  /** Git as a person runs it, hooks and all. */
  git(folder: string, args: string[], input?: string): Promise<string>;
  /** Does in a clone of the exported folder what a sandbox does; `change` edits the files. */
  snapshot(
    repository: ProjectRepository,
    base: string,
    change: (workspace: string) => Promise<void>,
  ): Promise<{ bundle: Buffer; commit: string }>;
  /** A bundle of one commit on top of `base`, under the name that a sandbox gives it. */
  bundle(workspace: string, commit: string, base: string): Promise<Buffer>;
  copy(folder: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createGitFixture(): Promise<GitFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul-git-test-')));
  const home = join(root, 'home');
  await mkdir(home);
  const environment = { PATH: process.env.PATH, HOME: home };
  const byHand = {
    ...environment,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  const folder = () => mkdtemp(join(root, 'folder-'));

  async function git(cwd: string, args: string[], input?: string): Promise<string> {
    const { stdout } = await execa('git', args, { cwd, env: byHand, extendEnv: false, input: input ?? '' });
    return stdout;
  }

  return {
    root,
    home,
    environment,
    folder,
    git,
    async project(files = { 'README.md': 'hello\n' }) {
      const repository = await createProjectRepository({ folder: await folder(), environment });
      const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
      const tree = await repository.writeTree(entries);
      const head = await repository.commit({ tree, parents: [], message: 'Begin', trailers: {} });
      await repository.moveBranch(undefined, head);
      return { repository, head };
    },
    async snapshot(repository, base, change) {
      const workspace = await folder();
      await mkdir(join(workspace, '.git'));
      const input = await repository.exportGitFolder(base);
      await execa('tar', ['-x', '-C', join(workspace, '.git')], { input: input as never });
      await git(workspace, ['config', 'core.bare', 'false']);
      await git(workspace, ['checkout', '-q', '-B', 'work', base]);
      await change(workspace);
      await git(workspace, ['add', '--all', '--force']);
      const tree = await git(workspace, ['write-tree']);
      const commit = await git(workspace, ['commit-tree', '-p', base, '-m', 'snapshot', tree]);
      return { bundle: await bundleOf(workspace, commit, base), commit };
    },
    bundle: bundleOf,
    async copy(original) {
      const target = await folder();
      await cp(original, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return target;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };

  async function bundleOf(workspace: string, commit: string, base: string): Promise<Buffer> {
    await git(workspace, ['update-ref', 'refs/longhaul/snapshot', commit]);
    // By a file: under load the last bytes of a pipe were missing now and then.
    const file = join(await folder(), 'bundle');
    await git(workspace, ['bundle', 'create', '-q', file, 'refs/longhaul/snapshot', `^${base}`]);
    return readFile(file);
  }
}

/** Writes a file with its parent folders. */
export async function put(folder: string, path: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content, { mode });
}

/** The next commit of a project: these files on top of what its branch has. */
export async function nextCommit(
  repository: ProjectRepository,
  parent: string,
  files: Record<string, string>,
): Promise<string> {
  const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
  const tree = await repository.writeTree(entries, await repository.treeOf(parent));
  return repository.commit({ tree, parents: [parent], message: 'Next', trailers: {} });
}
