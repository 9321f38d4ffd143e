import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import type { BenchStack } from './bench-stack.ts';
import { type Measurement, median, milliseconds } from './measurement.ts';

const starts = 7;
const messages = 20;
const mostStartMs = 1_500;
const mostBytes = 200e6;

/** What the line editor writes for a prompt, which begins by clearing its line. */
const promptShown = '\u001b[1G\u001b[0J> ';

/** `longhaul chat` in a terminal: until it takes input, and its resident memory after some messages. */
export async function measureChatProcess(stack: BenchStack): Promise<Measurement[]> {
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    stack.signal.throwIfAborted();
    const since = performance.now();
    const terminal = openTerminal(stack);
    await terminal.untilPrompts(1);
    times.push(performance.now() - since);
    await terminal.leave();
  }
  const terminal = openTerminal(stack);
  await terminal.untilPrompts(1);
  for (let message = 0; message < messages; message += 1) {
    const before = terminal.prompts();
    terminal.type(`Bench: message ${message}\r`);
    await terminal.untilPrompts(before + 1);
  }
  const bytes = await residentBytes(terminal.pid());
  await terminal.leave();
  return [
    {
      what: 'chat: from the start of the process to the prompt, median',
      ours: milliseconds(median(times)),
      goal: { text: `under ${mostStartMs} ms`, reached: median(times) < mostStartMs },
    },
    {
      what: `chat: resident memory of the process after ${messages} messages`,
      ours: `${Math.round(bytes / 1e6)} MB`,
      goal: { text: `under ${mostBytes / 1e6} MB`, reached: bytes < mostBytes },
    },
  ];
}

/** A process at a terminal of its own, which `script` of util-linux makes. */
function openTerminal({ home }: BenchStack) {
  const command = `echo "pid $$"; exec "${process.execPath}" "${join(packageRoot(), 'bin', 'longhaul.mjs')}" chat --session bench-terminal`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', LONGHAUL_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const prompts = () => shown.split(promptShown).length - 1;

  return {
    prompts,
    async untilPrompts(count: number): Promise<void> {
      const end = Date.now() + 30_000;
      while (prompts() < count) {
        if (failure) throw failure;
        if (child.exitCode !== null || Date.now() > end)
          throw new Error(`Expected the prompt of longhaul chat, it showed: ${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    type: (text: string) => void child.stdin.write(text),
    pid: () => Number(/pid (\d+)/.exec(shown)?.[1]),
    async leave(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.write('/exit\r');
      await ended;
    },
  };
}

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`Expected the memory of the process ${pid} in /proc.`);
  return Number(kilobytes) * 1024;
}
