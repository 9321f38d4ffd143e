import { runCommandLine } from './run-command-line.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(); // whoever read us, such as `head`, has enough
});

// A stream is opened by looking at it, which takes milliseconds, so each waits until somebody does.
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
});
