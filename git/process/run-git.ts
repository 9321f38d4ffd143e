import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { gitErrors } from '../error-messages.ts';
import { waitForLock } from '../locks/wait-for-lock.ts';
import { configVariables } from './git-environment.ts';
import { neutraliseConfig } from './neutralise-config.ts';

export interface GitOptions {
  input?: string | Uint8Array;
  /** Exit codes besides 0 that are answers rather than failures. */
  exitCodes?: number[];
  environment?: Record<string, string>;
  /** Maximum bytes of output; more is a failure, or truncated if `cut` is set. */
  maxBytes?: number;
  cut?: boolean;
  /** Where to run; the top of the working directory if absent. */
  cwd?: string;
}

export interface GitResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
  /** Whether the output was cut at `maxBytes`. */
  truncated: boolean;
}

/** Runs git on one repository so that neither the repository's nor the person's configuration can start a program. */
export interface Git {
  readonly folder: string;
  /** The absolute git folder of this working directory. */
  readonly gitFolder: string;
  /** The absolute git folder of the main working directory, with the objects and refs: another one in a linked worktree. */
  readonly commonFolder: string;
  readonly environment: Record<string, string>;
  /** The all-zero object id, of the length of the repository's ids. */
  readonly nullObject: string;
  run(args: string[], options?: GitOptions): Promise<GitResult>;
  /** The output as UTF-8 without its final newline. */
  text(args: string[], options?: GitOptions): Promise<string>;
  /** The output's NUL-terminated fields; `latin1` preserves file names that are not UTF-8, so that they can be passed back to git. */
  fields(args: string[], options?: GitOptions & { encoding?: 'utf8' | 'latin1' }): Promise<string[]>;
  /** The same repository with additional environment variables. */
  with(environment: Record<string, string>): Git;
}

/** 512 MiB: holds the listing of a million files, and Node's buffers can hold it. */
const defaultMaxBytes = 512 * 1024 * 1024;

/**
 * Commands that read or write objects and refs as they are, and so do not use drivers, filters or ignore rules. None of them opens the index: a
 * command that writes it back (such as write-tree) compares files modified in the same second with their blobs, through the filters.
 */
const plumbing = new Set('cat-file commit-tree index-pack ls-tree rev-parse symbolic-ref update-ref'.split(' '));

/** Builds a `Git`; `personSettings` are harmless personal settings, used where the repository has none of its own. */
export function createGit(deps: {
  folder: string;
  gitFolder: string;
  commonFolder: string;
  environment: Record<string, string>;
  nullObject: string;
  personSettings: Record<string, string>;
  localKeys(): Promise<string[]>;
}): Git {
  const { folder, gitFolder, commonFolder, environment, nullObject, personSettings, localKeys } = deps;
  const location = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];

  async function run(args: string[], options: GitOptions = {}): Promise<GitResult> {
    const base = plumbing.has(args[0] ?? '') ? environment : await environmentForFiles();
    const variables = { ...base, ...options.environment };
    for (;;) {
      const result = await spawnGit([...location, ...args], { ...options, folder, environment: variables });
      if (result.truncated ? options.cut : result.exitCode === 0) return result;
      if (result.truncated) throw gitErrors.outputTooLong(args, options.maxBytes ?? defaultMaxBytes);
      if (options.exitCodes?.includes(result.exitCode ?? -1)) return result;
      if (await waitForLock(result.stderr)) continue;
      if (diskFull.test(result.stderr)) throw gitErrors.diskFull(folder, result.stderr);
      throw gitErrors.gitCommand({ command: args, exitCode: result.exitCode, stderr: result.stderr });
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
    commonFolder,
    environment,
    nullObject,
    run,
    text: async (args, options) => (await run(args, options)).stdout.toString('utf8').replace(/\n$/, ''),
    fields: async (args, options) =>
      splitFields((await run(args, options)).stdout.toString(options?.encoding ?? 'utf8')),
    with: (more) => createGit({ ...deps, environment: { ...environment, ...more } }),
  };
}

/** What git says when the disk is full, in English because of `LC_ALL`. */
const diskFull = /No space left on device|Disk quota exceeded/;

/** Runs git once, as given; throws only if git or the folder is missing, or a signal ended it. */
export async function spawnGit(
  args: string[],
  options: GitOptions & { folder: string; environment: Record<string, string> },
): Promise<GitResult> {
  const result = await execa('git', args, {
    cwd: options.cwd ?? options.folder,
    env: options.environment,
    extendEnv: false,
    input: options.input ?? '',
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: options.maxBytes ?? defaultMaxBytes,
    reject: false,
  });
  const { exitCode, isMaxBuffer, code } = result;
  if (exitCode === undefined && !isMaxBuffer) {
    if (code !== 'ENOENT') throw gitErrors.gitStopped(args, result.shortMessage ?? '');
    if (existsSync(options.folder)) throw gitErrors.gitNotFound({ cause: result });
    throw gitErrors.notARepository(options.folder, 'it no longer exists', { cause: result });
  }
  return {
    stdout: Buffer.from(result.stdout),
    stderr: Buffer.from(result.stderr).toString('utf8'),
    exitCode: exitCode ?? -1,
    truncated: isMaxBuffer,
  };
}

function splitFields(output: string): string[] {
  return output === '' ? [] : output.replace(/\0$/, '').split('\0');
}
