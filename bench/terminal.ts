import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import type { BenchStack } from './bench-stack.ts';

/** What the line editor writes for a prompt, which begins by clearing its line. */
const promptShown = '\u001b[1G\u001b[0J> ';

/** Milliseconds until what is waited for has to be on the screen. */
const patience = 120_000;

export type Terminal = ReturnType<typeof openTerminal>;

/** Works with `longhaul` at a terminal, which ends with the work: after a wait that failed it would hold the measuring process open. */
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

/** `longhaul` with these parameters, a process at a terminal of its own, which `script` of util-linux makes. */
function openTerminal({ home }: BenchStack, parameters: string) {
  const longhaul = `"${process.execPath}" "${join(packageRoot(), 'bin', 'longhaul.cjs')}"`;
  const command = `stty cols 120 rows 40; echo "pid $$"; exec ${longhaul} ${parameters}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', LONGHAUL_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  /** When what was shown came to be so long. */
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
    const end = Date.now() + patience;
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
    /** When a text was there, in milliseconds since 1970, behind what was shown before. */
    untilShown: (text: string, after = 0) =>
      until(`"${text}"`, () => {
        const place = shown.indexOf(text, after);
        return place === -1 ? undefined : pieces.find(({ length }) => length >= place + text.length)?.at;
      }),
    type: (text: string) => void child.stdin.write(text),
    pid: () => Number(/pid (\d+)/.exec(shown)?.[1]),
    /** Types what ends it, and waits for that. */
    async leave(typed = '/exit\r'): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null) return;
      child.stdin.write(typed);
      await ended;
    },
    kill: () => void child.kill(),
  };
}
