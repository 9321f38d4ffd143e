import { createReadStream } from 'node:fs';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { type Pack, pack } from 'tar-stream';
import { gitErrors } from '../error-messages.ts';
import { configVariables } from '../process/git-environment.ts';
import { type Git, type GitOptions, spawnGit } from '../process/run-git.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { requireCommit } from '../tree/refs.ts';

/** Commits of history: enough for an agent that looks up how something came about; more is not worth copying for each sandbox. */
const depth = 50;

/** A tar of a bare, shallow git folder; see `ProjectRepository.exportGitFolder`. */
export async function exportGitFolder(git: Git, branch: string, commit: string): Promise<NodeJS.ReadableStream> {
  const folder = await makeTemporaryFolder('export');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const bare = join(folder, 'git');
    await fillBareRepository(git, { folder, bare, branch, commit });
    const archive = pack();
    const output = new PassThrough();
    // Errors reach the reader through `output`: on an error the pipeline destroys it.
    const ended = pipeline(archive, output).then(remove, remove);
    output.once('close', () => void ended);
    addFolder(archive, bare, '.').then(
      () => archive.finalize(),
      (error: Error) => archive.destroy(error),
    );
    return output;
  } catch (error) {
    await remove();
    throw error;
  }
}

async function fillBareRepository(
  git: Git,
  target: { folder: string; bare: string; branch: string; commit: string },
): Promise<void> {
  const { folder, bare, branch } = target;
  const configuration = join(folder, 'config');
  // A file, since environment variables would not reach the git that serves the fetch. Commits are fetched by id, so any commit must be allowed.
  await writeFile(configuration, '[safe]\n\tdirectory = *\n[uploadpack]\n\tallowAnySHA1InWant = true\n');
  const environment = {
    ...configVariables({ 'protocol.file.allow': 'always', 'fetch.fsckObjects': 'false' }, git.environment),
    GIT_CONFIG_GLOBAL: configuration,
    GIT_ALLOW_PROTOCOL: 'file',
  };
  const run = async (args: string[], options: GitOptions = {}) => {
    const result = await spawnGit(args, { ...options, folder, environment });
    if (result.exitCode !== 0)
      throw gitErrors.gitCommand({ command: args, exitCode: result.exitCode, stderr: result.stderr });
  };

  const format = git.nullObject.length === 64 ? 'sha256' : 'sha1';
  await run([
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--object-format=${format}`,
    `--initial-branch=${branch}`,
    bare,
  ]);
  const commit = await requireCommit(git, target.commit);
  const fetch = ['fetch', '--quiet', `--depth=${depth}`, '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
  const refspec = `+${commit}:refs/heads/${branch}`;
  await run([`--git-dir=${bare}`, ...fetch, '--update-shallow', pathToFileURL(git.commonFolder).href, refspec]);
}

async function addFolder(archive: Pack, folder: string, name: string): Promise<void> {
  await addEntry(archive, { name: `${name}/`, type: 'directory', mode: 0o755 });
  for (const child of (await readdir(folder)).sort()) {
    const path = join(folder, child);
    const found = await lstat(path);
    if (found.isDirectory()) await addFolder(archive, path, `${name}/${child}`);
    else await addFile(archive, path, { name: `${name}/${child}`, size: found.size, mode: found.mode & 0o777 });
  }
}

function addEntry(archive: Pack, header: { name: string; type: 'directory'; mode: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, (error) => (error ? reject(error) : resolve()));
  });
}

async function addFile(
  archive: Pack,
  path: string,
  header: { name: string; size: number; mode: number },
): Promise<void> {
  await pipeline(createReadStream(path), archive.entry(header));
}
