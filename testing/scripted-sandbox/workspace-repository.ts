import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { execa } from 'execa';
import { extract } from 'tar-stream';
import { nestedRepositories, SandboxError } from '../../sandbox/errors.ts';
import { repackGitFolder } from '../../sandbox/repack-git-folder.ts';

/**
 * The repository of a workspace that is a folder on this machine. Git works in a copy beside the workspace, so that no hook, filter or configuration
 * of the workspace takes effect.
 */
export class WorkspaceRepository {
  private readonly workspace: string;
  private readonly folder: string;
  private readonly environment: Record<string, string>;

  constructor(workspace: string, folder: string) {
    this.workspace = workspace;
    this.folder = folder;
    this.environment = {
      GIT_DIR: folder,
      GIT_WORK_TREE: workspace,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      LC_ALL: 'C',
    };
  }

  /** Fills the workspace from a tar of a bare git folder. */
  async load(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void> {
    await this.replaceRepository(gitFolder);
    await this.git(['checkout', '-q', '-f', '-B', 'work', commit, '--']);
    await this.showRepository();
  }

  /** Replaces the workspace's `.git`; no other file changes. */
  async repair(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void> {
    await this.replaceRepository(gitFolder);
    await this.git(['update-ref', 'refs/heads/work', commit]);
    await this.git(['symbolic-ref', 'HEAD', 'refs/heads/work']);
    await this.git(['read-tree', commit]);
    await this.showRepository();
  }

  /** See `Sandbox.snapshot`. */
  async snapshot(base: string): Promise<{ bundle: Buffer; commit: string }> {
    const shown = await lstat(join(this.workspace, '.git')).catch(() => undefined);
    if (!shown?.isDirectory())
      throw new SandboxError(
        'RepositoryDamaged',
        'There is no folder .git in the workspace. Repair it with repairRepository, then take the snapshot again.',
      );
    await this.git(['read-tree', base]);
    const added = await this.tryGit(['add', '-A', '.']);
    if (added.exitCode !== 0) throw this.toError(added.stderr);
    const changes = await this.git(['-c', 'core.quotePath=false', 'diff-index', '--cached', base]);
    const nested = [...changes.matchAll(/^:(?!160000)\d+ 160000 [^\t]*\t(.*)$/gm)].map(([, path = '']) => path);
    if (nested.length > 0) throw nestedRepositories(nested);
    const tree = await this.git(['write-tree']);
    const date = `${await this.git(['show', '-s', '--format=%ct', base])} +0000`;
    const person = { NAME: 'Longhaul', EMAIL: 'longhaul@longhaul.invalid', DATE: date };
    const roles = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    );
    const message = 'Snapshot of the workspace';
    const commit = await this.git(['commit-tree', tree, '-p', base, '-m', message], Object.fromEntries(roles));
    await this.git(['update-ref', 'refs/longhaul/snapshot', commit]);
    const { stdout } = await execa('git', ['bundle', 'create', '-q', '-', 'refs/longhaul/snapshot', `^${base}`], {
      env: this.environment,
      encoding: 'buffer',
      stripFinalNewline: false, // a pack may end with that byte
    });
    return { bundle: Buffer.from(stdout), commit };
  }

  /** The lines that a pattern matches below a path, as `path:line:text`, without ignored files. */
  async search(
    target: string,
    pattern: string,
    glob: string | undefined,
  ): Promise<{ lines: string[]; invalid?: string }> {
    if (!existsSync(this.folder)) await this.git(['init', '-q', '--template=']);
    const prefix = target === '.' ? '' : `${target}/`;
    const where = glob ? `:(glob)${prefix}${glob.includes('/') ? '' : '**/'}${glob}` : target;
    const args = ['grep', '--untracked', '-n', '-I', '-E', '--no-color', '-e', pattern, '--', where];
    const { exitCode, stdout, stderr } = await this.tryGit(args);
    if (exitCode === 0) return { lines: stdout.split('\n') };
    return exitCode === 1 ? { lines: [] } : { lines: [], invalid: stderr };
  }

  private async replaceRepository(gitFolder: NodeJS.ReadableStream): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await unpack(gitFolder, this.folder);
    const config = join(this.folder, 'config');
    await writeFile(config, (await readFile(config, 'utf8')).replace('bare = true', 'bare = false'));
  }

  private async showRepository(): Promise<void> {
    const shown = join(this.workspace, '.git');
    await rm(shown, { recursive: true, force: true });
    await cp(this.folder, shown, { recursive: true });
  }

  private toError(stderr: string): Error {
    const nested = [...stderr.matchAll(/'(.*)\/' does not have a commit checked out/g)].map(([, path = '']) => path);
    return nested.length > 0 ? nestedRepositories(nested) : new Error(`git add failed: ${stderr}`);
  }

  private async git(args: string[], environment: Record<string, string> = {}): Promise<string> {
    const { stdout } = await execa('git', args, { cwd: this.workspace, env: { ...this.environment, ...environment } });
    return stdout;
  }

  private async tryGit(args: string[]): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
    const result = await execa('git', args, { cwd: this.workspace, env: this.environment, reject: false });
    return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }
}

/** Writes the files of a tar of a bare git folder, without hooks and links, into a folder. */
async function unpack(gitFolder: NodeJS.ReadableStream, folder: string): Promise<void> {
  const archive = repackGitFolder(gitFolder, { uid: 0, gid: 0 });
  const entries = archive.pipe(extract());
  archive.once('error', (error) => entries.destroy(error));
  for await (const entry of entries) {
    const place = join(folder, entry.header.name.replace(/^\.git/, ''));
    if (place !== folder && !place.startsWith(folder + sep)) throw new Error(`Expected ${place} below ${folder}.`);
    if (entry.header.type === 'directory') await mkdir(place, { recursive: true });
    else await writeFile(place, await buffer(entry));
    entry.resume();
  }
}
