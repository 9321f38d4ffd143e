import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../config/package-root.ts';

/** What is looked at of a process that ended. */
export interface EndedProcess {
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** It said more than `maxBytes`, and was ended. */
  isCut: boolean;
  /** Undefined where a signal ended it, or it could not be started. */
  exitCode: number | undefined;
  /** The system's word for why it could not be started. */
  startError: string | undefined;
  /** What Node says of its end; undefined where that was a good one. */
  complaint: string | undefined;
}

export interface ProcessOptions {
  cwd: string;
  env: Record<string, string>;
  /** Of each of its outputs. */
  maxBytes: number;
  /** What it reads; nothing where absent. */
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
 * Starts git from a small process of its own, which begins with the first call and ends with this process. To start a process, this one is
 * copied, which blocks it for 20 to 40 ms where it has 500 MB, as workers have, and for 2 ms where it is small.
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
      launcher.channel?.ref(); // this process stays as long as somebody waits
      launcher.send({ id, args, options }, (error) => error && settle(id)?.reject(error));
    });

  function start(): ChildProcess {
    const child = fork(join(folder(), 'main.mjs'), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH },
      execArgv: [],
      cwd: '/', // so that it holds no folder
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

/** Of the two files in JavaScript, from source and from `dist` alike. */
function folder(): string {
  return join(packageRoot(), 'git', 'launcher');
}
