import { existsSync } from 'node:fs';
import { clearStaleLock } from './clear-stale-lock.ts';
import { GitCommandError, GitNotFoundError, NotARepositoryError, OutputTooLongError } from './errors.ts';
import { configVariables } from './git-environment.ts';
import { createLauncher, runGitHere } from './launcher/launcher.ts';
import { neutraliseConfig } from './neutralise-config.ts';

export interface GitOptions {
  input?: string | Uint8Array;
  /** Exit codes that are answers and not failures, apart from 0. */
  exitCodes?: number[];
  environment?: Record<string, string>;
  /** Bytes of output to take; more is a failure, or a cut where `cut` is set. */
  maxBytes?: number;
  cut?: boolean;
  /** Where to run; the working directory's top where absent. */
  cwd?: string;
}

export interface GitResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
  /** True where `maxBytes` ended the output. */
  truncated: boolean;
}

/** Runs git on one repository with nothing of the repository's or the person's configuration able to start a program. */
export interface Git {
  readonly folder: string;
  /** The absolute git folder of this working directory. */
  readonly gitFolder: string;
  readonly environment: Record<string, string>;
  /** The object id of nothing, as long as the repository's ids are. */
  readonly nullObject: string;
  run(args: string[], options?: GitOptions): Promise<GitResult>;
  /** The output as UTF-8 without its final newline. */
  text(args: string[], options?: GitOptions): Promise<string>;
  /** The output's NUL-terminated fields; `latin1` keeps file names that are not UTF-8 intact for handing back to git. */
  fields(args: string[], options?: GitOptions & { encoding?: 'utf8' | 'latin1' }): Promise<string[]>;
  /** The same repository with more environment. */
  with(environment: Record<string, string>): Git;
}

/** 512 MiB: the listing of a million files fits, Node's buffers do too. */
const defaultMaxBytes = 512 * 1024 * 1024;

/**
 * Commands that read or write objects and refs as they are, and so have no use for drivers, filters or ignore rules. None that opens
 * the index: writing it back compares files of the same second with their blobs, through the filters (write-tree does).
 */
const plumbing = new Set(
  'cat-file check-ref-format commit-tree index-pack ls-tree rev-parse symbolic-ref update-ref'.split(' '),
);

/** Builds a `Git`; `personSettings` are harmless settings of the person's, used where the repository has none of its own. */
export function createGit(deps: {
  folder: string;
  gitFolder: string;
  environment: Record<string, string>;
  nullObject: string;
  personSettings: Record<string, string>;
  localKeys(): Promise<string[]>;
}): Git {
  const { folder, gitFolder, environment, nullObject, personSettings, localKeys } = deps;
  const location = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];

  async function run(args: string[], options: GitOptions = {}): Promise<GitResult> {
    const base = plumbing.has(args[0] ?? '') ? environment : await environmentForFiles();
    const variables = { ...base, ...options.environment };
    for (;;) {
      const result = await spawnGit([...location, ...args], { ...options, folder, environment: variables });
      if (result.truncated ? options.cut : result.exitCode === 0) return result;
      if (result.truncated) throw new OutputTooLongError(args, options.maxBytes ?? defaultMaxBytes);
      if (options.exitCodes?.includes(result.exitCode ?? -1)) return result;
      if (await clearStaleLock(result.stderr, folder)) continue;
      throw new GitCommandError({ command: args, exitCode: result.exitCode, stderr: result.stderr });
    }
  }

  async function environmentForFiles(): Promise<Record<string, string>> {
    const keys = await localKeys();
    const inherited = Object.entries(personSettings).filter(([key]) => !keys.includes(key.toLowerCase()));
    return configVariables({ ...Object.fromEntries(inherited), ...neutraliseConfig(keys) }, environment);
  }

  return {
    folder,
    gitFolder,
    environment,
    nullObject,
    run,
    text: async (args, options) => (await run(args, options)).stdout.toString('utf8').replace(/\n$/, ''),
    fields: async (args, options) =>
      splitFields((await run(args, options)).stdout.toString(options?.encoding ?? 'utf8')),
    with: (more) => createGit({ ...deps, environment: { ...environment, ...more } }),
  };
}

/** Runs git once, as given; throws only where git or the folder is missing. */
export async function spawnGit(
  args: string[],
  options: GitOptions & { folder: string; environment: Record<string, string> },
): Promise<GitResult> {
  const run = process.memoryUsage.rss() > mostBytesToCopy ? runFromLauncher : runGitHere;
  const { stdout, stderr, exitCode, ...ended } = await run(args, {
    cwd: options.cwd ?? options.folder,
    env: options.environment,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    input: options.input,
  });
  if (ended.startError === 'ENOENT') {
    if (existsSync(options.folder)) throw new GitNotFoundError({ cause: ended.complaint });
    throw new NotARepositoryError(options.folder, 'it is gone', { cause: ended.complaint });
  }
  return {
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr).toString('utf8') || (exitCode === undefined ? (ended.complaint ?? '') : ''),
    exitCode: exitCode ?? -1,
    truncated: ended.isCut,
  };
}

/** 150 MiB: what a command line has; a process with more starts git by way of a smaller one. */
const mostBytesToCopy = 150 * 1024 * 1024;
const runFromLauncher = createLauncher();

function splitFields(output: string): string[] {
  return output === '' ? [] : output.replace(/\0$/, '').split('\0');
}
