import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { harnessIdentity, openProjectRepository } from '../../git/repository/open-project-repository.ts';
import type { Identity, ProjectRepository } from '../../git/repository/project-repository.ts';

/** Temporary folders for one test file, and a person's home without any git configuration. */
export interface GitFixture {
  root: string;
  home: string;
  environment: NodeJS.ProcessEnv;
  folder(): Promise<string>;
  /** A project with these files in one commit by the harness. */
  project(files?: Record<string, string>): Promise<{ repository: ProjectRepository; head: string }>;
  /** Runs git as a person does, with hooks and all. */
  git(folder: string, args: string[], input?: string): Promise<string>;
  /** Acts like a sandbox in a clone of the exported folder; `change` edits the files. */
  snapshot(
    repository: ProjectRepository,
    base: string,
    change: (workspace: string) => Promise<void>,
  ): Promise<{ bundle: Buffer; commit: string }>;
  /** Bundles the commits after `base` under the ref that a sandbox uses. */
  bundle(workspace: string, commit: string, base: string): Promise<Buffer>;
  copy(folder: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createGitFixture(): Promise<GitFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul-git-test-')));
  const home = join(root, 'home');
  await mkdir(home);
  const environment = { PATH: process.env.PATH, HOME: home };
  const byHand = { ...environment, ...committer({ name: 'Ada', email: 'ada@example.org' }) };
  const byHarness = { ...environment, ...committer(harnessIdentity) };
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
      // By plain git, which takes 7 processes where the product's own way takes 29.
      const top = await folder();
      for (const [path, content] of Object.entries(files)) await put(top, path, content);
      await git(top, ['init', '-q', '--template=', '--initial-branch=main']);
      await git(top, ['add', '--all', '--force']);
      const commit = ['commit', '-q', '--allow-empty', '-m', 'Begin'];
      await execa('git', commit, { cwd: top, env: byHarness, extendEnv: false });
      const repository = await openProjectRepository({ folder: top, environment });
      return { repository, head: await git(top, ['rev-parse', 'HEAD']) };
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
    // Through a file, since under load the last bytes of a pipe were sometimes missing.
    const file = join(await folder(), 'bundle');
    await git(workspace, ['bundle', 'create', '-q', file, 'refs/longhaul/snapshot', `^${base}`]);
    return readFile(file);
  }
}

const committer = ({ name, email }: Identity) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

/** Writes a file and creates its parent folders. */
export async function put(folder: string, path: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content, { mode });
}

/** Creates, but does not check out, a commit of these files on top of its parent's. */
export async function nextCommit(
  repository: ProjectRepository,
  parent: string,
  files: Record<string, string>,
): Promise<string> {
  const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
  const tree = await repository.writeTree(entries, await repository.treeOf(parent));
  return repository.commit({ tree, parents: [parent], message: 'Next', trailers: {} });
}
