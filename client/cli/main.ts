import { runCommandLine } from './run-command-line.ts';
import { tellOutputError } from './tell-output-error.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const { exitCode, told } = tellOutputError(error);
  if (told) process.stderr.write(told);
  process.exit(exitCode);
});

process.exitCode = 1; // unless it comes to its end
void main();

async function main(): Promise<void> {
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
  // All that a command opened is closed by now. But the driver of Postgres forgets a connection that is ended while it opens again after
  // the server was away, and its socket would keep a process for ever that has nothing left to do.
  setTimeout(() => process.exit(), 1_000).unref();
}
