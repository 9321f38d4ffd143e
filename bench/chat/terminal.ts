import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

/** What the line editor writes for a prompt, beginning with clearing its line. */
const promptShown = '\u001b[1G\u001b[0J> ';

/** Milliseconds within which awaited text must appear on the screen. */
const timeoutMs = 120_000;

/** Milliseconds without output after which the screen is at rest. */
const quietMs = 500;

export type Terminal = ReturnType<typeof openTerminal>;

/** Works with `longhaul` at a terminal and kills it afterwards: left alive after a failed wait, it would keep the measuring process open. */
export async function atTerminal<Result>(
  stack: BenchStack,
  parameters: string,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const terminal = openTerminal(stack, parameters);
  try {
    return await work(terminal);
  } finally {
    terminal.kill();
  }
}

/** Starts `longhaul` with these parameters, in a process at a terminal of its own created by util-linux's `script`. */
function openTerminal({ home }: BenchStack, parameters: string) {
  const longhaul = `"${process.execPath}" "${join(packageRoot(), 'bin', 'longhaul.cjs')}"`;
  const command = `stty cols 120 rows 40; echo "pid $$"; exec ${longhaul} ${parameters}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', LONGHAUL_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  /** When the output reached each length. */
  const pieces: Array<{ length: number; at: number }> = [];
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    pieces.push({ length: shown.length, at: Date.now() });
  });

  async function until<Result>(what: string, find: () => Result | undefined): Promise<Result> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (failure) throw failure;
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`Expected ${what} of longhaul ${parameters}, it showed: ${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  return {
    untilPrompt: () => until('the prompt', () => shown.includes(promptShown) || undefined),
    /** How many characters were shown so far. */
    length: () => shown.length,
    /** When a text appeared after the first `after` characters, in milliseconds since 1970. */
    untilShown: (text: string, after = 0) =>
      until(`"${text}"`, () => {
        const place = shown.indexOf(text, after);
        return place === -1 ? undefined : pieces.find(({ length }) => length >= place + text.length)?.at;
      }),
    /** Waits until nothing is drawn any more: what an agent does is drawn several times a second. */
    untilQuiet: () => until('an end of the output', () => Date.now() - (pieces.at(-1)?.at ?? 0) > quietMs || undefined),
    type: (text: string) => void child.stdin.write(text),
    pid: () => Number(/pid (\d+)/.exec(shown)?.[1]),
    /** Types what makes it exit, and waits until it has. */
    async leave(typed = '/exit\r'): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null) return;
      child.stdin.write(typed);
      await ended;
    },
    kill: () => void child.kill(),
  };
}
