import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../config/package-root.ts';

/** The outcome of a process that ended. */
export interface EndedProcess {
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** Its output exceeded `maxBytes`, and it was killed. */
  isCut: boolean;
  /** Undefined if a signal ended it, or it could not be started. */
  exitCode: number | undefined;
  /** The system's error code if it could not be started. */
  startError: string | undefined;
  /** Node's message about its end; undefined on success. */
  complaint: string | undefined;
}

export interface ProcessOptions {
  cwd: string;
  env: Record<string, string>;
  /** Limit for each of its outputs. */
  maxBytes: number;
  /** Its standard input; empty if absent. */
  input?: string | Uint8Array | undefined;
}

/** Runs git once. */
export type RunGit = (args: string[], options: ProcessOptions) => Promise<EndedProcess>;

/** Starts git from this process. */
export const runGitHere: RunGit = async (args, options) => {
  const { runProcess }: { runProcess: RunGit } = await import(pathToFileURL(join(folder(), 'run-process.mjs')).href);
  return runProcess(args, options);
};

interface Waiting {
  resolve(result: EndedProcess): void;
  reject(error: Error): void;
}

/**
 * Starts git from a small helper process, which starts with the first call and ends with this process. Starting a process copies the parent, which
 * blocks it for 20 to 40 ms at 500 MB, as workers have, and for 2 ms if it is small.
 */
export function createLauncher(): RunGit {
  let launcher: ChildProcess | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  return (args, options) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      launcher ??= start();
      waiting.set(id, { resolve, reject });
      launcher.channel?.ref(); // keeps this process alive while a call is pending
      launcher.send({ id, args, options }, (error) => error && settle(id)?.reject(error));
    });

  function start(): ChildProcess {
    const child = fork(join(folder(), 'main.mjs'), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH },
      execArgv: [],
      cwd: '/', // so that it keeps no folder in use
    });
    child.on('message', (message) => {
      const { id, result } = message as { id: number; result: EndedProcess };
      settle(id)?.resolve(result);
    });
    child.once('error', (error) => end(child, error));
    child.once('exit', (code, signal) => {
      end(
        child,
        new Error(`The process that starts git ended by itself (${signal ?? `exit code ${code}`}); run it again.`),
      );
    });
    child.unref();
    child.channel?.unref();
    return child;
  }

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) launcher?.channel?.unref();
    return found;
  }

  function end(child: ChildProcess, error: Error): void {
    if (launcher === child) launcher = undefined;
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  }
}

/** The folder of the two JavaScript files, the same from source and from `dist`. */
function folder(): string {
  return join(packageRoot(), 'git', 'process', 'launcher');
}
