import { readFile } from 'node:fs/promises';
import { type Measurement, median, milliseconds } from '../measurement.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { atTerminal } from './terminal.ts';
import { untilAnswered } from './until-answered.ts';

const starts = 7;
const messages = 20;
const maxStartMs = 1_500;
const maxBytes = 200e6;
const session = 'bench-terminal';
const command = `chat --session ${session}`;

/** `longhaul chat` in a terminal: time until it accepts input, and its resident memory after some messages. */
export async function measureChatProcess(stack: BenchStack): Promise<Measurement[]> {
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    stack.signal.throwIfAborted();
    const since = performance.now();
    const time = await atTerminal(stack, command, async (terminal) => {
      await terminal.untilPrompt();
      const started = performance.now() - since;
      await terminal.leave();
      return started;
    });
    times.push(time);
  }
  const bytes = await atTerminal(stack, command, async (terminal) => {
    await terminal.untilPrompt();
    for (let message = 0; message < messages; message += 1) {
      terminal.type(`Bench: message ${message}\r`);
      await untilAnswered(stack, session, message + 1);
    }
    const resident = await residentBytes(terminal.pid());
    await terminal.leave();
    return resident;
  });
  return [
    {
      what: 'chat: from the start of the process to the prompt, median',
      ours: milliseconds(median(times)),
      goal: { text: `under ${maxStartMs} ms`, reached: median(times) < maxStartMs },
    },
    {
      what: `chat: resident memory of the process after ${messages} messages`,
      ours: `${Math.round(bytes / 1e6)} MB`,
      goal: { text: `under ${maxBytes / 1e6} MB`, reached: bytes < maxBytes },
    },
  ];
}

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`Expected the memory of the process ${pid} in /proc.`);
  return Number(kilobytes) * 1024;
}
