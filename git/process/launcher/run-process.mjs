import { execFile } from 'node:child_process';

/**
 * Runs git once. In JavaScript, since plain Node 20 cannot run TypeScript, and both `main.mjs` and processes without a launcher use this.
 * @type {import('./launcher.ts').RunGit}
 */
export function runProcess(args, { cwd, env, maxBytes, input }) {
  return new Promise((resolve) => {
    const git = execFile(
      'git',
      args,
      { cwd, env, maxBuffer: maxBytes, encoding: 'buffer' },
      (error, stdout, stderr) => {
        const isCut = error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
        const startError = typeof error?.code === 'string' && !isCut ? error.code : undefined;
        resolve({ stdout, stderr, isCut, exitCode, startError, complaint: error?.message });
      },
    );
    git.stdin?.on('error', () => {}); // git may end without reading all of it
    git.stdin?.end(input);
  });
}
