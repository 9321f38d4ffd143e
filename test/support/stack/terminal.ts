import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../config/package-root.ts';
import { createTerminalScreen } from '../terminal-screen.ts';
import { waitFor } from '../wait-for.ts';

/** The built `longhaul` at a terminal of its own, which util-linux's `script` makes. */
export interface Terminal {
  /** What the terminal shows, with what has scrolled off. */
  rows(): string[];
  /** Everything that was written to it. */
  written(): string;
  type(keys: string): void;
  until(what: string, check: () => boolean): Promise<void>;
  untilShown(text: string): Promise<void>;
  /** Types what makes it exit, and waits until it has. */
  leave(): Promise<void>;
  /** Ends it in any case. */
  kill(): Promise<void>;
}

/** Milliseconds for what is awaited on the screen. */
const limitMs = 120_000;

export function openTerminal(
  environment: Record<string, string>,
  parameters: string,
  { columns = 80, rows = 24 } = {},
): Terminal {
  const longhaul = `"${process.execPath}" "${join(packageRoot(), 'bin', 'longhaul.cjs')}"`;
  const child = spawn(
    'script',
    ['-qfec', `stty cols ${columns} rows ${rows}; exec ${longhaul} ${parameters}`, '/dev/null'],
    {
      env: { ...environment, TERM: 'xterm', NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const screen = createTerminalScreen(columns, rows);
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    screen.write(text);
  });
  const hasEnded = new Promise((resolve) => child.once('exit', resolve));

  async function until(what: string, check: () => boolean): Promise<void> {
    await waitFor(
      what,
      () => {
        if (child.exitCode === null) return check();
        throw new Error(`Expected ${what} of longhaul ${parameters}, which ended with: ${screen.rows().join('\n')}`);
      },
      limitMs,
    ).catch((error: Error) => {
      throw new Error(`${error.message} It shows:\n${screen.rows().join('\n')}`, { cause: error });
    });
  }

  return {
    rows: screen.rows,
    written: () => written,
    type: (keys) => void child.stdin.write(keys),
    until,
    untilShown: (text) => until(`"${text}"`, () => screen.rows().some((row) => row.includes(text))),
    async leave() {
      child.stdin.write('/exit\r');
      await hasEnded;
    },
    async kill() {
      if (child.exitCode !== null || !child.kill()) return;
      await hasEnded;
    },
  };
}
