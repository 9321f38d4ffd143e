import { describeOutputError } from './program/describe-error.ts';
import { runCommandLine } from './program/run-command-line.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const { exitCode, message } = describeOutputError(error);
  if (message) process.stderr.write(message);
  process.exit(exitCode);
});

process.exitCode = 1; // unless `main` completes
void main();

async function main(): Promise<void> {
  // Accessing a standard stream opens it, which takes milliseconds, so each is opened only when used.
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
  // Everything a command opened is closed by now. But the Postgres driver loses track of a connection that is ended while reconnecting after the
  // server was unreachable, and its socket would keep the finished process alive forever.
  setTimeout(() => process.exit(), 1_000).unref();
}
